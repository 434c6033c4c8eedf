// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QDialog>

#include "ui/launch/remote_watch.h"

class QCheckBox;
class QLabel;
class QLineEdit;

namespace slipstream::ui {

/// Where launches go: this machine, or a remote with its state; the last entry adds one.
class WhereBox : public QComboBox {
  Q_OBJECT

 public:
  WhereBox(RemoteWatch& remotes, QWidget* parent);

 protected:
  void wheelEvent(QWheelEvent* event) override;

 private:
  void fill();
  void choose(int index);
  void addMachine();

  RemoteWatch& remotes_;
};

/// Asks for a machine to add. What is wrong with it is said below the fields.
class AddMachineDialog : public QDialog {
  Q_OBJECT

 public:
  AddMachineDialog(RemoteWatch& remotes, QWidget* parent);

 private:
  void add();

  RemoteWatch& remotes_;
  QLineEdit* name_;
  QLineEdit* host_;
  QLineEdit* store_;
  QCheckBox* slurm_;
  QLabel* problem_;
};

}  // namespace slipstream::ui
