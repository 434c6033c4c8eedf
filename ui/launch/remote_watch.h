// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/remote/follow.h"
#include "ui/store/job_thread.h"

namespace slipstream::ui {

class StoreWatcher;

/// A remote, and how it is followed.
struct RemoteLink {
  Remote remote;
  FollowState state;
};
/// "up to date", "offline since 11:05"
QString linkText(const FollowState& state);

/// Follows every remote into the open store, each in a thread of its own, for as long as the store is open; one that
/// cannot be reached is tried again and again, and stops nothing; one that a new connection would not help is given up,
/// with its reason, until it is added again or the store is opened anew. Knows which one launches go to.
class RemoteWatch : public QObject {
  Q_OBJECT

 public:
  RemoteWatch(StoreWatcher& store, QObject* parent);
  ~RemoteWatch() override;

  /// By name.
  const std::vector<RemoteLink>& links() const { return links_; }
  /// Null where there is no such remote.
  const RemoteLink* find(const std::string& name) const;

  /// Where launches go; empty: this machine.
  const std::string& chosen() const { return chosen_; }
  void choose(const std::string& remote);

  /// Remembers a remote in the user's list, and follows it; refused where its name is another machine's.
  void add(const Remote& remote);

 Q_SIGNALS:
  void changed();  ///< links()
  void chosenChanged();
  void refused(const QString& message);

 private:
  class Follower;

  void reload();
  void take(const Result<std::vector<Remote>>& remotes);
  void restart();
  void retire(std::unique_ptr<Follower> follower);
  void hear(int follower, const FollowState& state);
  void giveUp(int follower, const FollowState& state);

  StoreWatcher& store_;
  JobThread disk_;
  QThreadPool retiring_;
  QTimer timer_;
  std::vector<RemoteLink> links_;
  std::vector<std::unique_ptr<Follower>> followers_;  ///< as links_; none where the store may not be written to
  std::string chosen_;
  QString complaint_;  ///< of the list, told once
  int lastFollower_ = 0;
};

}  // namespace slipstream::ui
