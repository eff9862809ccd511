#include "app/studio/run/run_form.h"

#include "app/studio/file_dialog.h"
#include "app/studio/form_rows.h"
#include "app/studio/run/target_box.h"
#include "inspector/session/session.h"
#include "visualizers/toolkit/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QFile>
#include <QFormLayout>
#include <QIODevice>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

using inspector::Session;

struct Choice {
    const char* key;
    const char* text;
    const char* meaning;
};

constexpr auto caseInputs = "case";
constexpr auto fileInputs = "files";
constexpr auto exampleInputs = "example";
constexpr auto randomInputs = "random";

constexpr std::array kindChoices{
    Choice{"run", "run, and keep outputs and trace", "et-inspect run"},
    Choice{"bench", "measure times only", "et-inspect bench: no recording, so no overhead"},
};
constexpr std::array inputChoices{
    Choice{caseInputs, "test case", "Inputs of a test case of the bundled program"},
    Choice{exampleInputs, "inputs of the ETRecord", "Representative or example inputs of the ETRecord"},
    Choice{randomInputs, "random", "Floats from -1 to 1; the same seed gives the same numbers"},
    Choice{"zeros", "zeros", "All elements are 0"},
    Choice{"ones", "ones", "All elements are 1"},
    Choice{fileInputs, "files", ".npy, .npz, .pt or raw files, in input order"},
};
constexpr std::array levelChoices{
    Choice{"", "none", "Record times only"},
    Choice{"outputs", "outputs", "Record outputs of the method (debug buffer)"},
    Choice{"intermediates", "all instructions", "Record the outputs of every instruction (debug buffer)"},
};
constexpr std::array tapChoices{
    Choice{"", "none", "No values inside delegates"},
    Choice{"all", "all", "All values inside XNNPACK delegates; disables some fusion, so it is slower"},
};

constexpr int maxExecutions = 1'000'000;
constexpr int maxSeconds = 86'400;
constexpr int maxThreads = 256;

void fill(QComboBox& box, std::span<const Choice> choices) {
    for (const Choice& each : choices) {
        box.addItem(QString::fromUtf8(each.text), QLatin1String(each.key));
        box.setItemData(box.count() - 1, QString::fromUtf8(each.meaning), Qt::ToolTipRole);
    }
}

/// Selects an item by its key; returns false if there is none.
bool choose(QComboBox& box, const char* key) {
    const int place = box.findData(QLatin1String(key));
    if (place >= 0) {
        box.setCurrentIndex(place);
    }
    return place >= 0;
}

}  // namespace

RunForm::RunForm(QSettings& settings, QWidget* parent)
    : QWidget(parent),
      store(settings),
      layout(new QFormLayout(this)),
      model(new QLabel(this)),
      target(new TargetBox(this)),
      kind(new QComboBox(this)),
      method(new QComboBox(this)),
      inputs(new QComboBox(this)),
      testCase(numberField(0, 0, 0, "runCase", this)),
      seed(numberField(0, maxExecutions, 0, "runSeed", this)),
      inputFiles(new QLineEdit(this)),
      threads(numberField(0, maxThreads, 1, "runThreads", this)),
      warmup(numberField(0, maxExecutions, 2, "runWarmup", this)),
      iterations(numberField(1, maxExecutions, 10, "runIterations", this)),
      timeout(numberField(0, maxSeconds, 0, "runTimeout", this)),
      trace(new QCheckBox(QStringLiteral("record a trace and open it"), this)),
      memory(new QCheckBox(QStringLiteral("record memory usage"), this)),
      debugLevel(new QComboBox(this)),
      taps(new QComboBox(this)),
      emulate(new QCheckBox(QStringLiteral("emulate missing backends"), this)),
      commandRow(new CommandRow("runCommand", this)) {
    layout->setRowWrapPolicy(QFormLayout::DontWrapRows);
    layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    createModelRows();
    createInputRows();
    createTraceRows();
    layout->addRow(QStringLiteral("Command"), commandRow);
    connect(commandRow, &CommandRow::copyRequested, this, &RunForm::copyRequested);
    for (QComboBox* const box : {kind, method, inputs, debugLevel, taps}) {
        connect(box, &QComboBox::currentTextChanged, this, &RunForm::showState);
    }
    for (QSpinBox* const box : {testCase, seed, threads, warmup, iterations, timeout}) {
        connect(box, &QSpinBox::valueChanged, this, &RunForm::changed);
    }
    for (QCheckBox* const box : {trace, memory, emulate}) {
        connect(box, &QCheckBox::toggled, this, &RunForm::showState);
    }
    connect(inputFiles, &QLineEdit::textChanged, this, &RunForm::changed);
    setSession(nullptr);
}

void RunForm::createModelRows() {
    model->setTextFormat(Qt::PlainText);
    model->setWordWrap(true);
    layout->addRow(QStringLiteral("Model"), model);
    layout->addRow(QStringLiteral("Target"), target);
    connect(target, &TargetBox::changed, this, &RunForm::showState);
    connect(target, &TargetBox::editWanted, this, &RunForm::targetsWanted);
    kind->setObjectName(QStringLiteral("runKind"));
    fill(*kind, kindChoices);
    layout->addRow(QStringLiteral("Mode"), kind);
    method->setObjectName(QStringLiteral("runMethod"));
    layout->addRow(QStringLiteral("Method"), method);
    threads->setToolTip(QStringLiteral("0: one per CPU core"));
    layout->addRow(QStringLiteral("Threads"), threads);
    warmup->setToolTip(QStringLiteral("Warm-up runs, not measured"));
    layout->addRow(QStringLiteral("Warm-up"), warmup);
    layout->addRow(QStringLiteral("Executions"), iterations);
    timeout->setSpecialValueText(QStringLiteral("no limit"));
    timeout->setSuffix(QStringLiteral(" s"));
    layout->addRow(QStringLiteral("Time limit"), timeout);
    emulate->setObjectName(QStringLiteral("runEmulate"));
    emulate->setToolTip(QStringLiteral(
        "Compute delegates of missing backends from the ETRecord; their times are not meaningful"));
    layout->addRow(QString(), emulate);
}

void RunForm::createInputRows() {
    inputs->setObjectName(QStringLiteral("runInputs"));
    layout->addRow(QStringLiteral("Inputs"), inputs);
    layout->addRow(QStringLiteral("Case"), testCase);
    layout->addRow(QStringLiteral("Seed"), seed);
    inputFiles->setObjectName(QStringLiteral("runFiles"));
    inputFiles->setPlaceholderText(QStringLiteral("x.npy, y.pt"));
    inputFiles->setToolTip(
        QStringLiteral("Comma-separated, in input order: files, random, ones, zeros, none or a number"));
    layout->addRow(
        QStringLiteral("Files"),
        withBrowseButton(*inputFiles, QStringLiteral("Choose Files"), [this] { chooseFiles(); }, this));
}

void RunForm::createTraceRows() {
    trace->setObjectName(QStringLiteral("runTrace"));
    trace->setChecked(true);
    layout->addRow(QStringLiteral("Trace"), trace);
    memory->setObjectName(QStringLiteral("runMemory"));
    memory->setChecked(true);
    memory->setToolTip(QStringLiteral(
        "Record packed weights, delegate workspace and process memory for the Memory panel. ExecuTorch's "
        "Inspector cannot read such a trace."));
    layout->addRow(QString(), memory);
    debugLevel->setObjectName(QStringLiteral("runValues"));
    fill(*debugLevel, levelChoices);
    layout->addRow(QStringLiteral("Values"), debugLevel);
    taps->setObjectName(QStringLiteral("runTaps"));
    taps->setEditable(true);
    taps->setInsertPolicy(QComboBox::NoInsert);
    fill(*taps, tapChoices);
    taps->setToolTip(QStringLiteral(
        "Values inside XNNPACK delegates: all, or a regular expression on node kind (Conv), id (12) or "
        "debug handle (handle:5)"));
    layout->addRow(QStringLiteral("Taps"), taps);
}

void RunForm::chooseFiles() {
    chooseFilesToOpen(this, store,
                      {.title = QStringLiteral("Choose Inputs"),
                       .filters = QStringLiteral("Tensors (*.npy *.npz *.pt *.pth *.bin);;All files (*)")},
                      [this](const std::vector<std::filesystem::path>& paths) {
                          QStringList names;
                          for (const std::filesystem::path& path : paths) {
                              names.append(QFile::decodeName(path.c_str()));
                          }
                          inputFiles->setText(names.join(QStringLiteral(", ")));
                      });
}

void RunForm::setSession(const Session* session) {
    files = {};
    method->clear();
    const QString before = inputs->currentData().toString();
    inputs->clear();
    if (session != nullptr) {
        const inspector::SessionFiles& open = session->files;
        files.model = open.bundle.empty() ? open.program : open.bundle;
        files.tensorData = open.tensorData;
        files.record = open.record;
        std::size_t cases = 0;
        for (const auto* const bundle = session->bundle.get();
             const auto& suite :
             bundle ? std::span(bundle->suites) : std::span<const bundled_program::TestSuite>()) {
            cases = std::max(cases, suite.cases.size());
        }
        testCase->setRange(0, std::max(static_cast<int>(cases) - 1, 0));
        for (const Choice& each : inputChoices) {
            const bool there = (each.key != std::string_view(caseInputs) || cases > 0) &&
                               (each.key != std::string_view(exampleInputs) || session->record);
            if (there) {
                fill(*inputs, std::span(&each, 1));
            }
        }
        if (session->program) {
            for (const program::Method& each : session->program->methods) {
                method->addItem(visualizers::toQString(each.name));
            }
        }
    }
    inputs->setCurrentIndex(std::max(inputs->findData(before), 0));
    model->setText(files.model.empty() ? QStringLiteral("none open")
                                       : QFile::decodeName(files.model.filename().c_str()));
    emulate->setChecked(!files.record.empty() && emulate->isChecked());
    showState();
}

void RunForm::reloadTargets() {
    target->reload();
}

QString RunForm::inputKind() const {
    return inputs->currentData().toString();
}

void RunForm::showState() {
    const bool runs = kind->currentData() == QLatin1String(kindChoices.front().key);
    const bool traces = runs && trace->isChecked();
    layout->setRowVisible(method, method->count() > 1);
    layout->setRowVisible(testCase, inputKind() == QLatin1String(caseInputs) && testCase->maximum() > 0);
    layout->setRowVisible(seed, inputKind() == QLatin1String(randomInputs));
    layout->setRowVisible(inputFiles->parentWidget(), inputKind() == QLatin1String(fileInputs));
    trace->setEnabled(runs);
    emulate->setEnabled(!files.record.empty() && target->target().isEmpty());
    memory->setEnabled(traces);
    debugLevel->setEnabled(traces);
    taps->setEnabled(traces);
    emit changed();
}

RunRequest RunForm::request() const {
    RunRequest request = files;
    request.kind =
        kind->currentData() == QLatin1String("bench") ? RunRequest::Kind::Bench : RunRequest::Kind::Run;
    request.target = target->target();
    request.method = method->count() > 1 ? method->currentText() : QString();
    const QString key = inputKind();
    if (key == QLatin1String(caseInputs)) {
        request.testCase = testCase->value();
    } else if (key == QLatin1String(fileInputs)) {
        for (const QString& each : inputFiles->text().split(u',', Qt::SkipEmptyParts)) {
            request.inputs.append(each.trimmed());
        }
    } else if (!key.isEmpty()) {
        request.inputs = {key};
    }
    request.seed = key == QLatin1String(randomInputs) ? seed->value() : 0;
    if (!(emulate->isChecked() && emulate->isEnabled()) && key != QLatin1String(exampleInputs)) {
        request.record.clear();
    }
    request.threads = threads->value();
    request.warmup = warmup->value();
    request.iterations = iterations->value();
    request.timeoutSeconds = timeout->value();
    request.trace = trace->isChecked();
    request.memory = memory->isChecked();
    request.debugLevel = debugLevel->currentData().toString();
    const int known = taps->findText(taps->currentText());
    request.taps = known >= 0 ? taps->itemData(known).toString() : taps->currentText();
    return request;
}

void RunForm::setCommand(const QString& text) {
    commandRow->setCommand(text);
}

QString RunForm::command() const {
    return commandRow->command();
}

QByteArray RunForm::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << threads->value() << warmup->value() << iterations->value() << timeout->value()
           << trace->isChecked() << debugLevel->currentData().toString() << taps->currentText()
           << memory->isChecked() << target->target();
    return state;
}

void RunForm::restoreState(const QByteArray& state) {
    std::array<int, 4> numbers{};
    bool traces = true;
    bool measures = true;
    QString level;
    QString tapped;
    QDataStream stream(state);
    stream >> numbers[0] >> numbers[1] >> numbers[2] >> numbers[3] >> traces >> level >> tapped;
    if (stream.status() != QDataStream::Ok) {
        return;
    }
    QString device;
    if (!stream.atEnd()) {  // absent in states saved by older versions
        stream >> measures;
    }
    if (!stream.atEnd()) {
        stream >> device;
    }
    std::size_t place = 0;
    for (QSpinBox* const box : {threads, warmup, iterations, timeout}) {
        box->setValue(numbers[place++]);
    }
    trace->setChecked(traces);
    memory->setChecked(measures);
    choose(*debugLevel, level.toUtf8().constData());
    taps->setCurrentText(tapped);
    target->choose(device);
}

}  // namespace et::studio
