#include "app/studio/job_dialog.h"

#include "app/studio/file_dialog.h"
#include "app/studio/form_rows.h"
#include "app/studio/shell_text.h"
#include "visualizers/toolkit/text.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFile>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QUrl>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace et::studio {

namespace {

namespace fs = std::filesystem;

constexpr int dialogLetters = 96;
constexpr int dialogLines = 30;
constexpr int usualRounds = 500;
constexpr int mostRounds = 1'000'000;

struct JobText {
    const char* title;
    const char* command;  ///< label of the button
};

const JobText& textOf(JobKind kind) {
    static constexpr std::array texts{
        JobText{"Reduce to the Smallest Failing Part", "&Reduce"}, JobText{"Extract a Part", "&Extract"},
        JobText{"Write a Memory Plan", "&Write"}, JobText{"Soak: Are Results Always the Same?", "&Soak"}};
    return texts[static_cast<std::size_t>(kind)];
}

fs::path pathOf(const QString& text) {
    return QFile::encodeName(text).toStdString();
}

QString nameOf(const fs::path& path) {
    return QFile::decodeName(path.c_str());
}

}  // namespace

JobDialog::JobDialog(QSettings& settings, std::function<void(const std::vector<fs::path>&)> open,
                     QWidget* parent)
    : QDialog(parent),
      store(settings),
      openFiles(std::move(open)),
      form(new QFormLayout),
      model(new QLabel(this)),
      fails(new QComboBox(this)),
      instructions(new QLineEdit(this)),
      nodes(new QLineEdit(this)),
      algorithm(new QComboBox(this)),
      runs(numberField(1, mostRounds, usualRounds, "fixRuns", this)),
      output(new QLineEdit(this)),
      command(new CommandRow("fixCommand", this)),
      progress(new QProgressBar(this)),
      state(new QLabel(this)),
      text(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("jobDialog"));
    createRows();
    state->setObjectName(QStringLiteral("fixState"));
    state->setTextFormat(Qt::PlainText);
    state->setWordWrap(true);
    state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setObjectName(QStringLiteral("fixText"));
    text->setAccessibleName(QStringLiteral("Output of et-inspect"));
    text->setReadOnly(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    auto* const layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(progress);
    layout->addWidget(state);
    layout->addWidget(text, 1);
    createButtons();
    const int letter = fontMetrics().averageCharWidth();
    resize(dialogLetters * letter, dialogLines * fontMetrics().height());
    connect(&process, &RunProcess::ended, this, &JobDialog::take);
    connect(&process, &RunProcess::progressed, this, [this](const RunProgress& now) {
        progress->setRange(0, static_cast<int>(now.total));
        progress->setValue(static_cast<int>(now.done));
        progress->setFormat(now.total > 0 ? QStringLiteral("%1 %v / %m").arg(now.phase) : now.phase);
    });
}

void JobDialog::createRows() {
    model->setTextFormat(Qt::PlainText);
    for (const char* const way : {"gap", "verify", "crash", "nan"}) {
        fails->addItem(QLatin1String(way));
    }
    fails->setObjectName(QStringLiteral("fixFails"));
    fails->setEditable(true);
    fails->setToolTip(QStringLiteral("How it fails, or a command with {} in place of the candidate's file"));
    instructions->setObjectName(QStringLiteral("fixInstructions"));
    instructions->setToolTip(QStringLiteral("First and last instruction, inclusive, or a list: 3,5..9"));
    nodes->setObjectName(QStringLiteral("fixNodes"));
    nodes->setToolTip(
        QStringLiteral("Operators of the delegate called by the single instruction; empty: all"));
    for (const char* const way : {"best", "greedy", "naive"}) {
        algorithm->addItem(QLatin1String(way));
    }
    algorithm->setObjectName(QStringLiteral("fixAlgorithm"));
    output->setObjectName(QStringLiteral("fixOutput"));
    outputRow =
        withBrowseButton(*output, QStringLiteral("Choose the output file"), [this] { chooseOutput(); }, this);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto addRow = [this](const QString& label, QWidget* row, QWidget* field) {
        auto* const name = new QLabel(label, this);
        name->setBuddy(field);
        form->addRow(name, row);
    };
    addRow(QStringLiteral("Model"), model, nullptr);
    addRow(QStringLiteral("&Fails in"), fails, fails);
    addRow(QStringLiteral("&Instructions"), instructions, instructions);
    addRow(QStringLiteral("O&perators of the delegate"), nodes, nodes);
    addRow(QStringLiteral("&Algorithm"), algorithm, algorithm);
    addRow(QStringLiteral("R&ounds"), runs, runs);
    addRow(QStringLiteral("&Result"), outputRow, output);
    addRow(QStringLiteral("Command"), command, nullptr);
    for (QLineEdit* const each : {instructions, nodes, output}) {
        connect(each, &QLineEdit::textChanged, this, &JobDialog::showCommand);
    }
    connect(fails, &QComboBox::currentTextChanged, this, &JobDialog::showCommand);
    connect(algorithm, &QComboBox::currentTextChanged, this, &JobDialog::showCommand);
    connect(runs, &QSpinBox::valueChanged, this, &JobDialog::showCommand);
    connect(command, &CommandRow::copyRequested, this,
            [this] { QApplication::clipboard()->setText(command->command()); });
}

void JobDialog::createButtons() {
    auto* const buttons = new QDialogButtonBox(this);
    const auto add = [&](const QString& label, const char* name, void (JobDialog::*slot)()) {
        QPushButton* const button = buttons->addButton(label, QDialogButtonBox::ActionRole);
        button->setObjectName(QLatin1String(name));
        connect(button, &QPushButton::clicked, this, slot);
        return button;
    };
    startButton = add(QString(), "fixStart", &JobDialog::start);
    startButton->setDefault(true);
    cancelButton = add(QStringLiteral("&Cancel"), "fixCancel", &JobDialog::cancel);
    openButton = add(QStringLiteral("Open &Here"), "fixOpen", &JobDialog::openResult);
    folderButton = add(QStringLiteral("Show Fol&der"), "fixFolder", &JobDialog::openFolder);
    connect(buttons->addButton(QDialogButtonBox::Close), &QPushButton::clicked, this, &QDialog::reject);
    layout()->addWidget(buttons);
}

void JobDialog::ask(const JobRequest& request) {
    if (!running()) {
        asked = request;
        begun = {};
        text->clear();
        state->clear();
        fillIn();
    }
    showState();
    show();
    raise();
    activateWindow();
}

void JobDialog::fillIn() {
    setWindowTitle(QString::fromUtf8(textOf(asked.kind).title));
    startButton->setText(QString::fromUtf8(textOf(asked.kind).command));
    model->setText(visualizers::toQString(asked.model.filename().string()));
    model->setToolTip(visualizers::toQString(asked.model.string()));
    fails->setCurrentText(asked.fails.isEmpty() ? QStringLiteral("gap") : asked.fails);
    instructions->setText(asked.instructions);
    nodes->setText(asked.nodes);
    algorithm->setCurrentText(asked.algorithm.isEmpty() ? QStringLiteral("best") : asked.algorithm);
    runs->setValue(asked.runs > 0 ? asked.runs : usualRounds);
    output->setText(nameOf(asked.output));
    form->setRowVisible(fails, asked.kind == JobKind::Reduce);
    form->setRowVisible(instructions, asked.kind == JobKind::Extract);
    form->setRowVisible(nodes, asked.kind == JobKind::Extract);
    form->setRowVisible(algorithm, asked.kind == JobKind::Replan);
    form->setRowVisible(runs, asked.kind == JobKind::Soak);
    form->setRowVisible(outputRow, asked.kind != JobKind::Soak);
    showCommand();
}

JobRequest JobDialog::request() const {
    JobRequest now = asked;
    switch (asked.kind) {
        case JobKind::Reduce:
            now.fails = fails->currentText();
            break;
        case JobKind::Extract:
            now.instructions = instructions->text().trimmed();
            now.nodes = nodes->text().trimmed();
            break;
        case JobKind::Replan:
            now.algorithm = algorithm->currentText();
            break;
        case JobKind::Soak:
            now.runs = runs->value();
            return now;
    }
    now.output = pathOf(output->text());
    return now;
}

QString JobDialog::said() const {
    return text->toPlainText();
}

void JobDialog::chooseOutput() {
    const fs::path now = pathOf(output->text());
    chooseFileToSave(this, store,
                     {.title = QStringLiteral("Choose the Output File"),
                      .name = nameOf(now.filename()),
                      .confirmOverwrite = asked.kind != JobKind::Reduce,
                      .folder = now.parent_path()},
                     [this](const fs::path& file) { output->setText(nameOf(file)); });
}

void JobDialog::start() {
    if (running()) {
        return;
    }
    begun = request();
    text->clear();
    state->setText(QStringLiteral("Running…"));
    progress->setRange(0, 0);
    process.start(RunProcess::findProgram(store), argumentsOf(begun),
                  reportsProgress(begun.kind) ? RunProcess::ProgressOutput::Progress
                                              : RunProcess::ProgressOutput::Nothing);
    showState();
}

void JobDialog::cancel() {
    process.cancel();
}

void JobDialog::done(int result) {
    process.cancel();
    QDialog::done(result);
}

void JobDialog::take(const RunEnd& end) {
    text->setPlainText(QString::fromUtf8(end.output.trimmed()));
    showEnd(end);
    showState();
}

void JobDialog::showEnd(const RunEnd& end) {
    const bool written = begun.kind != JobKind::Soak && !writtenFiles(begun).empty();
    if (end.kind == RunEnd::Kind::Cancelled && !written) {
        state->setText(QStringLiteral("Cancelled."));
    } else if (end.kind == RunEnd::Kind::Cancelled) {
        state->setText(QStringLiteral("Cancelled. The result so far is in %1.").arg(nameOf(begun.output)));
    } else if (end.kind != RunEnd::Kind::Finished) {
        state->setText(end.message);
    } else if (end.exitCode == 0) {
        state->setText(written ? QStringLiteral("Written: %1").arg(nameOf(begun.output))
                               : QStringLiteral("Done."));
    } else if (begun.kind == JobKind::Soak && end.exitCode == 1 && !end.output.isEmpty()) {
        state->setText(QStringLiteral("Executions differ."));
    } else {
        state->setText(failureMessage(end));
    }
}

void JobDialog::openResult() {
    openFiles(writtenFiles(begun));
}

void JobDialog::openFolder() {
    const fs::path folder = begun.kind == JobKind::Reduce ? begun.output : begun.output.parent_path();
    QDesktopServices::openUrl(QUrl::fromLocalFile(nameOf(folder)));
}

void JobDialog::showCommand() {
    command->setCommand(shellText(QStringList{QStringLiteral("et-inspect")} + argumentsOf(request())));
    showState();
}

void JobDialog::showState() {
    const bool idle = !running();
    const JobRequest now = request();
    const bool complete = (now.kind == JobKind::Soak || !now.output.empty()) &&
                          (now.kind != JobKind::Reduce || !now.fails.trimmed().isEmpty()) &&
                          (now.kind != JobKind::Extract || !now.instructions.isEmpty());
    const bool written =
        idle && begun.kind != JobKind::Soak && !begun.output.empty() && !writtenFiles(begun).empty();
    startButton->setEnabled(idle && complete);
    cancelButton->setEnabled(!idle);
    openButton->setEnabled(written);
    folderButton->setEnabled(written);
    progress->setVisible(!idle);
    for (QWidget* const each :
         std::initializer_list<QWidget*>{fails, instructions, nodes, algorithm, runs, outputRow}) {
        each->setEnabled(idle);
    }
}

}  // namespace et::studio
