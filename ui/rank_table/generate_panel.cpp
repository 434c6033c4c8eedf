// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_table/generate_panel.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include "engine/base/files.h"
#include "engine/base/process_identity.h"
#include "engine/base/text.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

QString variable(const char* name) {
  return QString::fromStdString(environment(name).value_or(""));
}

std::vector<std::string> entriesOf(const QLineEdit* field) {
  const std::string text = trim(field->text().toStdString());
  return text.empty() ? std::vector<std::string>{} : split(text, ',');
}

}  // namespace

GeneratePanel::GeneratePanel(QWidget* parent)
    : QFrame(parent),
      heading_(label({}, TextSize::section)),
      wrong_(label({}, TextSize::secondary)),
      form_(new QFormLayout),
      devices_(field(tr("Devices"), QStringLiteral("[0,8)"))),
      server_(field(tr("Server"), QStringLiteral("10.0.0.1"))),
      hosts_(field(tr("Hosts"), QStringLiteral("a:4,b:4"))),
      nodes_(field(QStringLiteral("SLURM_JOB_NODELIST"), QStringLiteral("n[1-3,7]"))),
      tasks_(field(QStringLiteral("SLURM_TASKS_PER_NODE"), QStringLiteral("4(x2),3"))),
      addresses_(field(tr("Device addresses"), tr("optional: one a device, in rank order"))) {
  setProperty("card", true);
  wrong_->setProperty("wrong", true);
  wrong_->setWordWrap(true);
  QPushButton* make = primaryButton(Symbol::generate, tr("Generate"));
  QPushButton* cancel = button(tr("Cancel"));
  auto* foot = new QHBoxLayout;
  foot->addWidget(wrong_, 1);
  foot->addWidget(cancel);
  foot->addWidget(make);
  QVBoxLayout* layout = column(this);
  layout->setContentsMargins(gapWide, gapText, gapWide, gapText);
  layout->addWidget(heading_);
  layout->addLayout(form_);
  layout->addLayout(foot);
  connect(cancel, &QPushButton::clicked, this, &QWidget::hide);
  connect(make, &QPushButton::clicked, this, &GeneratePanel::generate);
  hide();
}

QLineEdit* GeneratePanel::field(const QString& title, const QString& example) {
  auto* edit = new QLineEdit(this);
  edit->setPlaceholderText(example);
  auto* name = new QLabel(title, this);
  name->setTextFormat(Qt::PlainText);
  name->setBuddy(edit);
  form_->addRow(name, edit);
  connect(edit, &QLineEdit::returnPressed, this, &GeneratePanel::generate);
  return edit;
}

void GeneratePanel::ask(TableSource source) {
  source_ = source;
  const auto offer = [this](QLineEdit* edit, bool wanted) { form_->setRowVisible(edit, wanted); };
  const QString headings[] = {tr("Generate from the devices of one server"), tr("Generate from a list of hosts"),
                              tr("Generate from a Slurm allocation")};
  heading_->setText(headings[static_cast<int>(source)]);
  offer(devices_, source == TableSource::localDevices);
  offer(server_, source == TableSource::localDevices);
  offer(hosts_, source == TableSource::hostList);
  offer(nodes_, source == TableSource::slurm);
  offer(tasks_, source == TableSource::slurm);
  if (devices_->text().isEmpty()) devices_->setText(QStringLiteral("[0,8)"));
  if (server_->text().isEmpty()) server_->setText(QString::fromStdString(hostName()));
  if (nodes_->text().isEmpty()) nodes_->setText(variable("SLURM_JOB_NODELIST"));
  if (tasks_->text().isEmpty()) tasks_->setText(variable("SLURM_TASKS_PER_NODE"));
  wrong_->clear();
  show();
  QLineEdit* const firsts[] = {devices_, hosts_, nodes_};
  firsts[static_cast<int>(source)]->setFocus(Qt::OtherFocusReason);
}

Result<NamedRankTable> GeneratePanel::made() const {
  switch (source_) {
    case TableSource::localDevices:
      return generateRankTable({devices_->text().trimmed().toStdString(),
                                {},
                                server_->text().trimmed().toStdString(),
                                entriesOf(addresses_)});
    case TableSource::hostList:
      return rankTableOfHosts(entriesOf(hosts_), entriesOf(addresses_));
    case TableSource::slurm:
      break;
  }
  SLIPSTREAM_TRY(hosts, slurmHosts(nodes_->text().toStdString(), tasks_->text().toStdString()));
  return rankTableOfHosts(hosts, entriesOf(addresses_));
}

void GeneratePanel::generate() {
  const auto table = made();
  if (!table) {
    wrong_->setText(QString::fromStdString(trim(toText(table.error()))));
    return;
  }
  hide();
  Q_EMIT generated(table->table);
}

}  // namespace slipstream::ui
