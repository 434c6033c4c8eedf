// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/store/store_reader.h"

#include "engine/base/failure.h"
#include "engine/store/file_identity.h"
#include "engine/store/store_folder.h"

namespace slipstream::ui {

/// What lives in the reader's thread.
class StoreReader::Worker : public QObject {
 public:
  explicit Worker(State& state) : state_(state) {}

  void open(std::filesystem::path folder) {
    store_.reset();
    identity_.reset();
    state_.gone = false;
    folder_ = std::move(folder);
  }

  struct Outcome {
    QString message;       ///< empty: it went well
    bool damaged = false;  ///< what was read is, and the store may be sound all the same
  };
  Outcome perform(const std::function<void(RunStore&)>& job) {
    try {
      if (const QString message = connect(); !message.isEmpty()) return {message};
      job(*store_);
      return {};
    } catch (const StoreDamaged& damage) {
      return {QString::fromUtf8(damage.what()), true};
    } catch (const StoreBlocked& blocked) {
      return {QString::fromUtf8(blocked.what())};
    } catch (const std::exception& error) {
      store_.reset();  // the next job tries again
      return {QString::fromUtf8(error.what())};
    }
  }

 private:
  /// SQLite goes on with the file that it has opened, whatever becomes of its name.
  QString connect() {
    const auto found = identityOf(storeFileIn(folder_));
    state_.gone = !found;
    if (store_ && found == identity_) return {};
    store_.reset();
    if (state_.gone) return goneText();
    auto opened = RunStore::open(folder_, StoreAccess::read);
    if (!opened) return unreadText(opened.error());
    store_ = std::move(*opened);
    if (found != identity_) ++state_.store;
    identity_ = found;
    ++state_.connection;
    return {};
  }

  /// It may have gone while it was being opened.
  QString unreadText(const Failures& failures) {
    state_.gone = !identityOf(storeFileIn(folder_));
    return state_.gone ? goneText() : QString::fromStdString(toText(failures)).trimmed();
  }

  QString goneText() const {
    return StoreReader::tr("Store not found: %1 was moved or deleted. Put it back, or open another one.")
        .arg(QString::fromStdString(folder_.string()));
  }

  State& state_;
  std::filesystem::path folder_;
  std::unique_ptr<RunStore> store_;
  std::optional<FileIdentity> identity_;  ///< of the store that was read last
};

StoreReader::StoreReader(QObject* parent) : QObject(parent), worker_(new Worker(state_)) {
  thread_.setObjectName(QStringLiteral("store reader"));
  worker_->moveToThread(&thread_);
  connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
  thread_.start();
}

/// The thread ends behind all that waits.
StoreReader::~StoreReader() {
  state_.closing = true;
  QMetaObject::invokeMethod(worker_, [this] { thread_.quit(); });
  thread_.wait();
}

void StoreReader::open(const std::filesystem::path& folder) {
  ++generation_;
  QMetaObject::invokeMethod(worker_, [worker = worker_, folder] { worker->open(folder); });
}

void StoreReader::enqueue(QObject* receiver, Task task) {
  const QPointer<QObject> guard(receiver);
  QMetaObject::invokeMethod(worker_, [this, guard, generation = generation_, task = std::move(task)] {
    if (state_.closing && !task.toTheEnd) return;
    const Worker::Outcome outcome = worker_->perform(task.job);
    QMetaObject::invokeMethod(this, [this, guard, generation, task, outcome] {
      if (generation == generation_) answer(task, outcome.message, outcome.damaged, guard != nullptr);
    });
  });
}

void StoreReader::answer(const Task& task, const QString& message, bool damaged, bool isWanted) {
  if (message.isEmpty()) {
    if (isWanted) task.done();
    return;
  }
  if (isWanted && task.unread) task.unread(message);
  if (!damaged) Q_EMIT failed(message);
}

}  // namespace slipstream::ui
