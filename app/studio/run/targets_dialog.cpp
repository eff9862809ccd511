#include "app/studio/run/targets_dialog.h"

#include "app/devices/target_edit.h"
#include "app/devices/target_file.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace et::studio {

namespace {

constexpr int targetLetters = 84;
constexpr int targetRows = 32;
constexpr int targetListRows = 6;

std::filesystem::path fileNamed(const QString& typed) {
    return QFile::encodeName(typed.trimmed()).toStdString();
}

QString nameOfFile(const std::filesystem::path& path) {
    return QFile::decodeName(path.c_str());
}

}  // namespace

TargetsDialog::TargetsDialog(const QSettings& settings, QWidget* parent)
    : QDialog(parent),
      store(settings),
      list(new QListWidget(this)),
      form(new QFormLayout),
      state(visualizers::plainLabel("targetState", this, {.selectable = true})),
      text(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("targetsDialog"));
    setWindowTitle(QStringLiteral("Targets"));
    list->setObjectName(QStringLiteral("targetList"));
    list->setAccessibleName(QStringLiteral("Targets"));
    list->setMaximumHeight(fontMetrics().height() * targetListRows);
    text->setObjectName(QStringLiteral("targetText"));
    text->setAccessibleName(QStringLiteral("Device description"));
    text->setReadOnly(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    auto* const layout = new QVBoxLayout(this);
    layout->addWidget(list);
    createRows();
    layout->addLayout(form);
    layout->addWidget(state);
    layout->addWidget(text, 1);
    createButtons();
    resize(targetLetters * fontMetrics().averageCharWidth(), targetRows * fontMetrics().height());
    connect(list, &QListWidget::currentRowChanged, this, &TargetsDialog::showChosen);
    connect(&process, &RunProcess::ended, this, &TargetsDialog::take);
}

QLineEdit* TargetsDialog::addField(const QString& label, const char* called, const QString& hint) {
    auto* const field = new QLineEdit(this);
    field->setObjectName(QLatin1String(called));
    field->setPlaceholderText(hint);
    auto* const title = new QLabel(label, this);
    title->setBuddy(field);
    form->addRow(title, field);
    connect(field, &QLineEdit::textChanged, this, &TargetsDialog::showState);
    return field;
}

void TargetsDialog::createRows() {
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    name = addField(QStringLiteral("&Name"), "targetName", QStringLiteral("pi"));
    address = addField(QStringLiteral("&Address"), "targetAddress",
                       QStringLiteral("ssh://user@host[:port], adb:SERIAL, local: or command:"));
    folder = addField(QStringLiteral("&Folder on the device"), "targetFolder",
                      QStringLiteral("The agent's cache folder"));
    sshConfig = addField(QStringLiteral("&ssh configuration"), "targetSshConfig", QStringLiteral("Yours"));
    agent = addField(QStringLiteral("A&gent"), "targetAgent", QStringLiteral("The installed one"));
    push = addField(QStringLiteral("&Push"), "targetPush", QStringLiteral("scp -q {from} board:{to}"));
    run = addField(QStringLiteral("R&un"), "targetRun",
                   QStringLiteral("ssh board ./executor_runner --model_path {model} --inputs {inputs} …"));
    pull = addField(QStringLiteral("Pu&ll"), "targetPull", QStringLiteral("scp -q board:{from} {to}"));
}

void TargetsDialog::createButtons() {
    auto* const buttons = new QDialogButtonBox(this);
    const auto addButtonFor = [&](const char* called, void (TargetsDialog::*slot)()) {
        QPushButton* const button = buttons->addButton(QString(), QDialogButtonBox::ActionRole);
        button->setObjectName(QLatin1String(called));
        connect(button, &QPushButton::clicked, this, slot);
        return button;
    };
    addButton = addButtonFor("targetAdd", &TargetsDialog::add);
    addButton->setDefault(true);
    testButton = addButtonFor("targetTest", &TargetsDialog::test);
    removeButton = addButtonFor("targetRemove", &TargetsDialog::remove);
    removeButton->setText(QStringLiteral("&Remove"));
    connect(buttons->addButton(QDialogButtonBox::Close), &QPushButton::clicked, this, &QDialog::reject);
    layout()->addWidget(buttons);
}

void TargetsDialog::ask() {
    say({});
    text->clear();
    const devices::Target* const now = chosen();
    reload(now == nullptr ? QString() : visualizers::toQString(now->name));
    show();
    raise();
    activateWindow();
}

const devices::Target* TargetsDialog::chosen() const {
    const int row = list->currentRow();
    return row < 0 ? nullptr : &targets[static_cast<std::size_t>(row)];
}

void TargetsDialog::reload(const QString& current) {
    const QSignalBlocker quiet(list);
    list->clear();
    targets.clear();
    const auto path = devices::targetFile();
    auto read = path ? devices::readTargets(*path) : std::unexpected(path.error());
    if (read) {
        targets = *std::move(read);
    } else {
        say(visualizers::toQString(read.error().toString()));
    }
    int row = targets.empty() ? -1 : 0;
    for (const devices::Target& each : targets) {
        const QString called = visualizers::toQString(each.name);
        list->addItem(QStringLiteral("%1: %2").arg(called, visualizers::toQString(each.address)));
        row = called == current ? list->count() - 1 : row;
    }
    list->setCurrentRow(row);
    showChosen();
}

void TargetsDialog::showChosen() {
    if (const devices::Target* const target = chosen()) {
        name->setText(visualizers::toQString(target->name));
        address->setText(QString::fromStdString(target->address));
        folder->setText(QString::fromStdString(target->folder));
        sshConfig->setText(nameOfFile(target->sshConfig));
        agent->setText(nameOfFile(target->agent));
        push->setText(QString::fromStdString(target->commands.push));
        run->setText(QString::fromStdString(target->commands.run));
        pull->setText(QString::fromStdString(target->commands.pull));
    }
    showState();
}

void TargetsDialog::showState() {
    const QString to = address->text().trimmed();
    const bool byCommands = to.startsWith(QStringLiteral("command:"));
    for (QLineEdit* const each : {push, run, pull}) {
        form->setRowVisible(each, byCommands);
    }
    form->setRowVisible(sshConfig, to.startsWith(QStringLiteral("ssh:")));
    form->setRowVisible(agent, !byCommands);
    const bool isThere = std::ranges::contains(targets, name->text().toStdString(), &devices::Target::name);
    addButton->setText(isThere ? QStringLiteral("&Change") : QStringLiteral("A&dd"));
    addButton->setEnabled(!name->text().isEmpty() && !to.isEmpty() && !running());
    testButton->setText(running() ? QStringLiteral("S&top") : QStringLiteral("&Test"));
    testButton->setEnabled(chosen() != nullptr);
    removeButton->setEnabled(chosen() != nullptr && !running());
}

devices::Target TargetsDialog::settingsGiven() const {
    devices::Target given;
    given.folder = folder->text().trimmed().toStdString();
    given.sshConfig = fileNamed(sshConfig->text());
    given.agent = fileNamed(agent->text());
    given.commands = {.push = push->text().toStdString(),
                      .run = run->text().toStdString(),
                      .pull = pull->text().toStdString()};
    return given;
}

/// Changes an existing target of that name, as shown on the button.
void TargetsDialog::add() {
    const auto path = devices::targetFile();
    const auto target = devices::namedTarget(name->text().toStdString(),
                                             address->text().trimmed().toStdString(), settingsGiven());
    const core::Result<> added = !path     ? std::unexpected(path.error())
                                 : !target ? std::unexpected(target.error())
                                           : devices::addTarget(*path, *target, true);
    say(added ? QString() : visualizers::toQString(added.error().toString()));
    if (added) {
        reload(name->text());
        emit changed();
    }
}

void TargetsDialog::remove() {
    const devices::Target* const target = chosen();
    const auto path = devices::targetFile();
    if (target == nullptr || !path) {
        return;
    }
    const core::Result<> removed = devices::removeTarget(*path, target->name);
    say(removed ? QString() : visualizers::toQString(removed.error().toString()));
    reload({});
    emit changed();
}

void TargetsDialog::test() {
    if (running()) {
        process.cancel();
        return;
    }
    if (const devices::Target* const target = chosen()) {
        text->clear();
        say(QStringLiteral("Connecting to %1…").arg(visualizers::toQString(target->name)));
        process.start(RunProcess::findProgram(store),
                      {QStringLiteral("target"), QStringLiteral("test"), QStringLiteral("--"),
                       QString::fromStdString(target->name)},
                      RunProcess::ProgressOutput::Nothing);
        showState();
    }
}

void TargetsDialog::take(const RunEnd& end) {
    const bool answered = end.kind == RunEnd::Kind::Finished && end.exitCode == 0;
    text->setPlainText(QString::fromUtf8(end.output.trimmed()));
    say(answered ? QStringLiteral("Connected.") : failureMessage(end));
    showState();
}

void TargetsDialog::say(const QString& line) {
    state->setText(line);
    state->setVisible(!line.isEmpty());
}

QString TargetsDialog::said() const {
    return state->text() + u'\n' + text->toPlainText();
}

void TargetsDialog::done(int result) {
    process.cancel();
    QDialog::done(result);
}

}  // namespace et::studio
