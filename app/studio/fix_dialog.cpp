#include "app/studio/fix_dialog.h"

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

struct FixText {
    const char* title;
    const char* verb;  ///< label of the button
};

const FixText& textOf(FixKind kind) {
    static constexpr std::array texts{
        FixText{QT_TRANSLATE_NOOP("fix", "Reduce to the Smallest Part That Fails"),
                QT_TRANSLATE_NOOP("fix", "&Reduce")},
        FixText{QT_TRANSLATE_NOOP("fix", "Extract a Part"), QT_TRANSLATE_NOOP("fix", "&Extract")},
        FixText{QT_TRANSLATE_NOOP("fix", "Write a Memory Plan"), QT_TRANSLATE_NOOP("fix", "&Write")},
        FixText{QT_TRANSLATE_NOOP("fix", "Soak: Is It Always the Same?"), QT_TRANSLATE_NOOP("fix", "&Soak")}};
    return texts[static_cast<std::size_t>(kind)];
}

QString translatedFix(const char* text) {
    return QCoreApplication::translate("fix", text);
}

fs::path pathOf(const QString& text) {
    return QFile::encodeName(text).toStdString();
}

QString nameOf(const fs::path& path) {
    return QFile::decodeName(path.c_str());
}

}  // namespace

FixDialog::FixDialog(QSettings& settings, std::function<void(const std::vector<fs::path>&)> open,
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
    setObjectName(QStringLiteral("fixDialog"));
    createRows();
    state->setObjectName(QStringLiteral("fixState"));
    state->setTextFormat(Qt::PlainText);
    state->setWordWrap(true);
    state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setObjectName(QStringLiteral("fixText"));
    text->setAccessibleName(tr("What et-inspect says"));
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
    connect(&process, &RunProcess::ended, this, &FixDialog::take);
    connect(&process, &RunProcess::progressed, this, [this](const RunProgress& now) {
        progress->setRange(0, static_cast<int>(now.total));
        progress->setValue(static_cast<int>(now.done));
        progress->setFormat(now.total > 0 ? QStringLiteral("%1 %v / %m").arg(now.phase) : now.phase);
    });
}

void FixDialog::createRows() {
    model->setTextFormat(Qt::PlainText);
    for (const char* const way : {"gap", "verify", "crash", "nan"}) {
        fails->addItem(QLatin1String(way));
    }
    fails->setObjectName(QStringLiteral("fixFails"));
    fails->setEditable(true);
    fails->setToolTip(tr("How it fails, or a command with {} for the file of a candidate"));
    instructions->setObjectName(QStringLiteral("fixInstructions"));
    instructions->setToolTip(tr("From one to another, both included, or a list: 3,5..9"));
    nodes->setObjectName(QStringLiteral("fixNodes"));
    nodes->setToolTip(tr("Operators of the delegate that the only instruction calls; empty: all"));
    for (const char* const way : {"best", "greedy", "naive"}) {
        algorithm->addItem(QLatin1String(way));
    }
    algorithm->setObjectName(QStringLiteral("fixAlgorithm"));
    output->setObjectName(QStringLiteral("fixOutput"));
    outputRow =
        withBrowseButton(*output, tr("Choose where the result goes"), [this] { chooseOutput(); }, this);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto addRow = [this](const QString& label, QWidget* row, QWidget* field) {
        auto* const name = new QLabel(label, this);
        name->setBuddy(field);
        form->addRow(name, row);
    };
    addRow(tr("Model"), model, nullptr);
    addRow(tr("&Fails in"), fails, fails);
    addRow(tr("&Instructions"), instructions, instructions);
    addRow(tr("O&perators of the delegate"), nodes, nodes);
    addRow(tr("&Algorithm"), algorithm, algorithm);
    addRow(tr("R&ounds"), runs, runs);
    addRow(tr("&Result"), outputRow, output);
    addRow(tr("Command"), command, nullptr);
    for (QLineEdit* const each : {instructions, nodes, output}) {
        connect(each, &QLineEdit::textChanged, this, &FixDialog::showCommand);
    }
    connect(fails, &QComboBox::currentTextChanged, this, &FixDialog::showCommand);
    connect(algorithm, &QComboBox::currentTextChanged, this, &FixDialog::showCommand);
    connect(runs, &QSpinBox::valueChanged, this, &FixDialog::showCommand);
    connect(command, &CommandRow::copyRequested, this,
            [this] { QApplication::clipboard()->setText(command->command()); });
}

void FixDialog::createButtons() {
    auto* const buttons = new QDialogButtonBox(this);
    const auto add = [&](const QString& label, const char* name, void (FixDialog::*slot)()) {
        QPushButton* const button = buttons->addButton(label, QDialogButtonBox::ActionRole);
        button->setObjectName(QLatin1String(name));
        connect(button, &QPushButton::clicked, this, slot);
        return button;
    };
    startButton = add(QString(), "fixStart", &FixDialog::start);
    startButton->setDefault(true);
    cancelButton = add(tr("&Cancel"), "fixCancel", &FixDialog::cancel);
    openButton = add(tr("Open It &Here"), "fixOpen", &FixDialog::openResult);
    folderButton = add(tr("Show Fol&der"), "fixFolder", &FixDialog::openFolder);
    connect(buttons->addButton(QDialogButtonBox::Close), &QPushButton::clicked, this, &QDialog::reject);
    layout()->addWidget(buttons);
}

void FixDialog::ask(const FixRequest& request) {
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

void FixDialog::fillIn() {
    setWindowTitle(translatedFix(textOf(asked.kind).title));
    startButton->setText(translatedFix(textOf(asked.kind).verb));
    model->setText(visualizers::toQString(asked.model.filename().string()));
    model->setToolTip(visualizers::toQString(asked.model.string()));
    fails->setCurrentText(asked.fails.isEmpty() ? QStringLiteral("gap") : asked.fails);
    instructions->setText(asked.instructions);
    nodes->setText(asked.nodes);
    algorithm->setCurrentText(asked.algorithm.isEmpty() ? QStringLiteral("best") : asked.algorithm);
    runs->setValue(asked.runs > 0 ? asked.runs : usualRounds);
    output->setText(nameOf(asked.output));
    form->setRowVisible(fails, asked.kind == FixKind::Reduce);
    form->setRowVisible(instructions, asked.kind == FixKind::Extract);
    form->setRowVisible(nodes, asked.kind == FixKind::Extract);
    form->setRowVisible(algorithm, asked.kind == FixKind::Replan);
    form->setRowVisible(runs, asked.kind == FixKind::Soak);
    form->setRowVisible(outputRow, asked.kind != FixKind::Soak);
    showCommand();
}

FixRequest FixDialog::request() const {
    FixRequest now = asked;
    switch (asked.kind) {
        case FixKind::Reduce:
            now.fails = fails->currentText();
            break;
        case FixKind::Extract:
            now.instructions = instructions->text().trimmed();
            now.nodes = nodes->text().trimmed();
            break;
        case FixKind::Replan:
            now.algorithm = algorithm->currentText();
            break;
        case FixKind::Soak:
            now.runs = runs->value();
            return now;
    }
    now.output = pathOf(output->text());
    return now;
}

QString FixDialog::said() const {
    return text->toPlainText();
}

void FixDialog::chooseOutput() {
    const fs::path now = pathOf(output->text());
    chooseFileToSave(this, store,
                     {.title = tr("Choose Where the Result Goes"),
                      .name = nameOf(now.filename()),
                      .confirmOverwrite = asked.kind != FixKind::Reduce,
                      .folder = now.parent_path()},
                     [this](const fs::path& file) { output->setText(nameOf(file)); });
}

void FixDialog::start() {
    if (running()) {
        return;
    }
    begun = request();
    text->clear();
    state->setText(tr("At work…"));
    progress->setRange(0, 0);
    process.start(RunProcess::findProgram(store), argumentsOf(begun),
                  tellsProgress(begun.kind) ? RunProcess::Telling::Progress : RunProcess::Telling::Nothing);
    showState();
}

void FixDialog::cancel() {
    process.cancel();
}

void FixDialog::done(int result) {
    process.cancel();
    QDialog::done(result);
}

void FixDialog::take(const RunEnd& end) {
    text->setPlainText(QString::fromUtf8(end.output.trimmed()));
    showEnd(end);
    showState();
}

void FixDialog::showEnd(const RunEnd& end) {
    const bool written = begun.kind != FixKind::Soak && !writtenFiles(begun).empty();
    if (end.kind == RunEnd::Kind::Cancelled && !written) {
        state->setText(tr("Cancelled."));
    } else if (end.kind == RunEnd::Kind::Cancelled) {
        state->setText(tr("Cancelled. What there was is in %1.").arg(nameOf(begun.output)));
    } else if (end.kind != RunEnd::Kind::Finished) {
        state->setText(end.message);
    } else if (end.exitCode == 0) {
        state->setText(written ? tr("Written: %1").arg(nameOf(begun.output)) : tr("Done."));
    } else if (begun.kind == FixKind::Soak && end.exitCode == 1 && !end.output.isEmpty()) {
        state->setText(tr("Executions differ."));
    } else {
        state->setText(complaintOf(end));
    }
}

void FixDialog::openResult() {
    openFiles(writtenFiles(begun));
}

void FixDialog::openFolder() {
    const fs::path folder = begun.kind == FixKind::Reduce ? begun.output : begun.output.parent_path();
    QDesktopServices::openUrl(QUrl::fromLocalFile(nameOf(folder)));
}

void FixDialog::showCommand() {
    command->setCommand(shellText(QStringList{QStringLiteral("et-inspect")} + argumentsOf(request())));
    showState();
}

void FixDialog::showState() {
    const bool idle = !running();
    const FixRequest now = request();
    const bool complete = (now.kind == FixKind::Soak || !now.output.empty()) &&
                          (now.kind != FixKind::Reduce || !now.fails.trimmed().isEmpty()) &&
                          (now.kind != FixKind::Extract || !now.instructions.isEmpty());
    const bool written =
        idle && begun.kind != FixKind::Soak && !begun.output.empty() && !writtenFiles(begun).empty();
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
