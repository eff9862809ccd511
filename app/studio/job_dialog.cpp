#include "app/studio/job_dialog.h"

#include "app/studio/file_dialog.h"
#include "app/studio/form_rows.h"
#include "app/studio/option_fields.h"
#include "app/studio/shell_text.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/reduce/reduce_run.h"
#include "app/tasks/rewrite/part_run.h"
#include "app/tasks/rewrite/replan_run.h"
#include "app/tasks/soak/soak_run.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

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
      fields(new OptionFields(*form)),
      output(new QLineEdit(this)),
      command(new CommandRow("fixCommand", this)),
      progress(new QProgressBar(this)),
      state(visualizers::plainLabel("fixState", this, {.selectable = true})),
      text(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("jobDialog"));
    createRows();
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
    connect(&process, &RunProcess::progressed, this,
            [this](const RunProgress& now) { showProgress(*progress, now); });
}

void JobDialog::createOptionRows() {
    const auto addRow = [this](JobKind kind, const char* option, const QString& label, QWidget* field) {
        form->addRow(label, field);
        optionFields.push_back({.kind = kind, .option = QLatin1String(option), .widget = field});
    };
    tasks::OptionList reduce;
    tasks::ReduceSettings reduced;
    tasks::addReduceOptions(reduce, reduced);
    auto* const fails = fields->choice(reduce.at("--fails"), "fixFails");
    fails->setEditable(true);
    fails->setToolTip(QStringLiteral("How it fails, or a command with {} in place of the candidate's file"));
    for (const char* const way : {"gap", "verify", "crash", "nan"}) {
        fails->addItem(QLatin1String(way), QLatin1String(way));
    }
    addRow(JobKind::Reduce, "--fails", QStringLiteral("&Fails in"), fails);
    tasks::OptionList extract;
    tasks::PartSettings part;
    tasks::addExtractOptions(extract, part);
    addRow(JobKind::Extract, "--instructions", QStringLiteral("&Instructions"),
           fields->text(extract.at("--instructions"), "fixInstructions"));
    addRow(JobKind::Extract, "--nodes", QStringLiteral("O&perators of the delegate"),
           fields->text(extract.at("--nodes"), "fixNodes"));
    tasks::OptionList replan;
    tasks::ReplanSettings plan;
    tasks::addReplanOptions(replan, plan);
    auto* const algorithm = fields->choice(replan.at("--algorithm"), "fixAlgorithm");
    for (const std::string& each : replan.at("--algorithm").choices) {
        if (each != "none") {  // the dialog is for a new plan
            algorithm->addItem(QString::fromStdString(each), QString::fromStdString(each));
        }
    }
    addRow(JobKind::Replan, "--algorithm", QStringLiteral("&Algorithm"), algorithm);
    tasks::OptionList soak;
    tasks::SoakSettings soaked;
    tasks::addSoakOptions(soak, soaked);
    addRow(JobKind::Soak, "--runs", QStringLiteral("R&ounds"), fields->integer(soak.at("--runs"), "fixRuns"));
    usual = fields->values();
    connect(fields, &OptionFields::changed, this, &JobDialog::showCommand);
}

void JobDialog::createRows() {
    model->setTextFormat(Qt::PlainText);
    output->setObjectName(QStringLiteral("fixOutput"));
    outputRow =
        withBrowseButton(*output, QStringLiteral("Choose the output file"), [this] { chooseOutput(); }, this);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(QStringLiteral("Model"), model);
    createOptionRows();
    auto* const outputLabel = new QLabel(QStringLiteral("&Result"), this);
    outputLabel->setBuddy(output);
    form->addRow(outputLabel, outputRow);
    form->addRow(QStringLiteral("Command"), command);
    connect(output, &QLineEdit::textChanged, this, &JobDialog::showCommand);
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
    QMap<QString, QString> values = usual;
    values.insert(asked.options);
    fields->setValues(values);
    output->setText(nameOf(asked.output));
    for (const JobField& each : optionFields) {
        form->setRowVisible(each.widget, asked.kind == each.kind);
    }
    form->setRowVisible(outputRow, asked.kind != JobKind::Soak);
    showCommand();
}

JobRequest JobDialog::request() const {
    JobRequest now = asked;
    const QMap<QString, QString> values = fields->values();
    for (const JobField& each : optionFields) {
        if (each.kind == asked.kind) {
            now.options[each.option] = values[each.option].trimmed();
        }
    }
    if (asked.kind != JobKind::Soak) {
        now.output = pathOf(output->text());
    }
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
        state->setText(written ? QStringLiteral("Saved to %1").arg(nameOf(begun.output))
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
    const bool complete =
        (now.kind == JobKind::Soak || !now.output.empty()) &&
        (now.kind != JobKind::Reduce || !now.options[QStringLiteral("--fails")].isEmpty()) &&
        (now.kind != JobKind::Extract || !now.options[QStringLiteral("--instructions")].isEmpty());
    const bool written =
        idle && begun.kind != JobKind::Soak && !begun.output.empty() && !writtenFiles(begun).empty();
    startButton->setEnabled(idle && complete);
    cancelButton->setEnabled(!idle);
    openButton->setEnabled(written);
    folderButton->setEnabled(written);
    progress->setVisible(!idle);
    for (const JobField& each : optionFields) {
        each.widget->setEnabled(idle);
    }
    outputRow->setEnabled(idle);
}

}  // namespace et::studio
