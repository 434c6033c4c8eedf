#include "ui/store/store_reader.h"

#include "engine/base/failure.h"

namespace slipstream::ui {

/// What lives in the reader's thread.
class StoreReader::Worker : public QObject {
 public:
  explicit Worker(std::atomic<int>& connection) : connection_(connection) {}

  void open(std::filesystem::path folder) {
    store_.reset();
    folder_ = std::move(folder);
  }

  /// Empty words: it went well.
  QString perform(const std::function<void(RunStore&)>& job) {
    try {
      if (!store_) {
        auto opened = RunStore::open(folder_, StoreAccess::read);
        if (!opened) return QString::fromStdString(toText(opened.error()));
        store_ = std::move(*opened);
        ++connection_;
      }
      job(*store_);
      return {};
    } catch (const std::exception& error) {
      store_.reset();  // the next job tries again
      return QString::fromUtf8(error.what());
    }
  }

 private:
  std::atomic<int>& connection_;
  std::filesystem::path folder_;
  std::unique_ptr<RunStore> store_;
};

StoreReader::StoreReader(QObject* parent) : QObject(parent), worker_(new Worker(connection_)) {
  thread_.setObjectName(QStringLiteral("store reader"));
  worker_->moveToThread(&thread_);
  connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
  thread_.start();
}

StoreReader::~StoreReader() {
  thread_.quit();
  thread_.wait();
}

void StoreReader::open(const std::filesystem::path& folder) {
  ++generation_;
  QMetaObject::invokeMethod(worker_, [worker = worker_, folder] { worker->open(folder); });
}

void StoreReader::enqueue(QObject* receiver, std::function<void(RunStore&)> job, std::function<void()> done,
                          Unread unread) {
  const QPointer<QObject> guard(receiver);
  QMetaObject::invokeMethod(worker_, [this, worker = worker_, guard, generation = generation_, job = std::move(job),
                                      done = std::move(done), unread = std::move(unread)] {
    const QString words = worker->perform(job);
    QMetaObject::invokeMethod(this, [this, guard, generation, words, done, unread] {
      if (generation != generation_) return;
      if (words.isEmpty()) {
        if (guard) done();
        return;
      }
      if (guard && unread) unread(words);
      Q_EMIT failed(words);
    });
  });
}

}  // namespace slipstream::ui
