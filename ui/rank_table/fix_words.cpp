// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_table/fix_words.h"

#include <QCoreApplication>

namespace slipstream::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(RankTableFix)

 public:
  static QString of(RankTableMend mend) {
    switch (mend) {
      case RankTableMend::dropExtras:
        return tr("Remove comments and surplus commas");
      case RankTableMend::keepLast:
        return tr("Keep the last %1");
      case RankTableMend::convert:
        return tr("Convert to version %1");
      case RankTableMend::removeKey:
      case RankTableMend::removeLine:
        return tr("Remove %1");
      case RankTableMend::writeVersion:
        return tr("Write version %1");
      case RankTableMend::markCompleted:
        return tr("Mark as completed");
      case RankTableMend::countServers:
        return tr("Set server_count to %1");
      case RankTableMend::addServer:
        return tr("Add %1");
      case RankTableMend::addDevice:
        return tr("Add device %1");
      case RankTableMend::renumberDevices:
        return tr("Renumber devices 0 to %1");
      case RankTableMend::renameServer:
      case RankTableMend::useAddress:
        return tr("Use %1");
      case RankTableMend::usePlaceholder:
        return tr("Use placeholder %1");
      case RankTableMend::renumberRanks:
        return tr("Renumber ranks 0 to %1");
    }
    return {};
  }
};

}  // namespace

QString fixWords(const RankTableFix& fix) {
  const QString words = Words::of(fix.mend);
  return words.contains(QLatin1String("%1")) ? words.arg(QString::fromStdString(fix.value)) : words;
}

}  // namespace slipstream::ui
