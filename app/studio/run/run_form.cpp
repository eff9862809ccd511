#include "app/studio/run/run_form.h"

#include "app/studio/form_rows.h"
#include "app/studio/input_fields.h"
#include "app/studio/option_fields.h"
#include "app/studio/run/target_box.h"
#include "inspector/session/package_program.h"
#include "inspector/session/session.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

using inspector::Session;

constexpr std::array kindChoices{
    Choice{"run", "run, and keep outputs and trace", "et-inspect run"},
    Choice{"bench", "measure times only", "et-inspect bench: no recording, so no overhead"},
};
constexpr std::array levelChoices{
    Choice{"", "none", "Record times only"},
    Choice{"outputs", "outputs", "Record outputs of the method (debug buffer)"},
    Choice{"intermediates", "all instructions", "Record the outputs of every instruction (debug buffer)"},
};
constexpr std::array sharingChoices{
    Choice{"per-model", "per model", "Delegates of a model share memory for intermediate values"},
    Choice{"disabled", "disabled", "Each delegate has its own memory for intermediate values"},
    Choice{"global", "global", "Delegates of all models share memory for intermediate values"},
};
constexpr std::array cacheChoices{
    Choice{"on", "on", "Keep equal packed weights once"},
    Choice{"off", "off", "Each delegate packs its weights"},
};
constexpr std::array tapChoices{
    Choice{"", "none", "No values inside delegates"},
    Choice{"all", "all", "All values inside delegates; in XNNPACK disables some fusion, so it is slower"},
};

}  // namespace

RunForm::RunForm(QSettings& settings, QWidget* parent)
    : QWidget(parent),
      layout(new QFormLayout(this)),
      fields(new OptionFields(*layout)),
      model(new QLabel(this)),
      target(new TargetBox(this)),
      kind(new QComboBox(this)),
      inputs(new InputFields(*layout, *fields, settings, QStringLiteral("run"))),
      trace(new QCheckBox(QStringLiteral("record a trace and open it"), this)),
      emulate(new QCheckBox(QStringLiteral("emulate missing backends"), this)),
      commandRow(new CommandRow("runCommand", this)) {
    layout->setRowWrapPolicy(QFormLayout::DontWrapRows);
    layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    tasks::RunSettings usual;
    tasks::OptionList options;
    tasks::addRunOptions(options, usual);
    createModelRows(options);
    inputs->addInputRows(options);
    createTraceRows(options);
    layout->addRow(QStringLiteral("Command"), commandRow);
    connect(commandRow, &CommandRow::copyRequested, this, &RunForm::copyRequested);
    connect(fields, &OptionFields::changed, this, &RunForm::showState);
    connect(kind, &QComboBox::currentTextChanged, this, &RunForm::showState);
    connect(inputs, &InputFields::changed, this, &RunForm::showState);
    for (QCheckBox* const box : {trace, emulate}) {
        connect(box, &QCheckBox::toggled, this, &RunForm::showState);
    }
    setSession(nullptr);
}

void RunForm::createModelRows(const tasks::OptionList& options) {
    model->setTextFormat(Qt::PlainText);
    model->setWordWrap(true);
    layout->addRow(QStringLiteral("Model"), model);
    layout->addRow(QStringLiteral("Target"), target);
    connect(target, &TargetBox::changed, this, &RunForm::showState);
    connect(target, &TargetBox::editWanted, this, &RunForm::targetsWanted);
    kind->setObjectName(QStringLiteral("runKind"));
    fillChoices(*kind, kindChoices);
    layout->addRow(QStringLiteral("Mode"), kind);
    inputs->addMethodRow();
    layout->addRow(QStringLiteral("Threads"), fields->integer(options.at("--threads"), "runThreads"));
    // More executions than by default, because a trace is for comparing them.
    auto* const warmup = fields->integer(options.at("--warmup"), "runWarmup");
    warmup->setValue(2);
    layout->addRow(QStringLiteral("Warm-up"), warmup);
    auto* const iterations = fields->integer(options.at("--iterations"), "runIterations");
    iterations->setMinimum(1);
    iterations->setValue(10);
    layout->addRow(QStringLiteral("Executions"), iterations);
    auto* const sharing = fields->choice(options.at("--workspace-sharing-mode"), "runWorkspaceSharing");
    fillChoices(*sharing, sharingChoices);
    layout->addRow(QStringLiteral("XNNPACK workspace"), sharing);
    auto* const cache = fields->choice(options.at("--weight-cache"), "runWeightCache");
    fillChoices(*cache, cacheChoices);
    layout->addRow(QStringLiteral("XNNPACK weight cache"), cache);
    auto* const timeout = fields->integer(options.at("--timeout"), "runTimeout");
    timeout->setSpecialValueText(QStringLiteral("no limit"));
    timeout->setSuffix(QStringLiteral(" s"));
    layout->addRow(QStringLiteral("Time limit"), timeout);
    emulate->setObjectName(QStringLiteral("runEmulate"));
    emulate->setToolTip(QStringLiteral(
        "Compute delegates of missing backends from the ETRecord; their times are not meaningful"));
    layout->addRow(QString(), emulate);
    layout->addRow(QString(), fields->flag(options.at("--sanitize"), "runSanitize",
                                           QStringLiteral("check memory accesses of kernels")));
}

void RunForm::createTraceRows(const tasks::OptionList& options) {
    trace->setObjectName(QStringLiteral("runTrace"));
    trace->setChecked(true);
    layout->addRow(QStringLiteral("Trace"), trace);
    auto* const memory =
        fields->flag(options.at("--allocations"), "runMemory", QStringLiteral("record memory usage"));
    memory->setChecked(true);
    layout->addRow(QString(), memory);
    auto* const debugLevel = fields->choice(options.at("--debug-level"), "runValues");
    fillChoices(*debugLevel, levelChoices);
    layout->addRow(QStringLiteral("Values"), debugLevel);
    auto* const taps = fields->choice(options.at("--taps"), "runTaps");
    taps->setEditable(true);
    taps->setInsertPolicy(QComboBox::NoInsert);
    fillChoices(*taps, tapChoices);
    layout->addRow(QStringLiteral("Record values of"), taps);
    recorded = {memory, debugLevel, taps};
}

void RunForm::setSession(const Session* session) {
    files = {};
    if (session != nullptr) {
        const inspector::SessionFiles& open = session->files;
        files.program = inspector::runnableFile(open);
        if (!open.tensorData.empty()) {
            files.model.tensorData = {open.tensorData};
        }
        files.trace.record = open.record.string();
    }
    inputs->setSession(session);
    model->setText(files.program.empty() ? QStringLiteral("none open")
                                         : QFile::decodeName(files.program.filename().c_str()));
    emulate->setChecked(!files.trace.record.empty() && emulate->isChecked());
    showState();
}

void RunForm::reloadTargets() {
    target->reload();
}

void RunForm::showState() {
    const bool runs = kind->currentData() == QLatin1String(kindChoices.front().key);
    const bool traces = runs && trace->isChecked();
    trace->setEnabled(runs);
    emulate->setEnabled(!files.trace.record.empty() && target->target().isEmpty());
    for (QWidget* const each : recorded) {
        each->setEnabled(traces);
    }
    emit changed();
}

RunRequest RunForm::request() const {
    RunRequest request{.kind = kind->currentData() == QLatin1String("bench") ? RunRequest::Kind::Bench
                                                                             : RunRequest::Kind::Run,
                       .settings = files,
                       .trace = trace->isChecked()};
    tasks::ModelOptions& options = request.settings.model;
    options.on.target = target->target().toStdString();
    inputs->store(options);
    if (!(emulate->isChecked() && emulate->isEnabled()) && !inputs->needsRecord()) {
        request.settings.trace.record.clear();
    }
    tasks::OptionList list;
    tasks::addRunOptions(list, request.settings);
    fields->store(list);
    return request;
}

void RunForm::setCommand(const QString& text) {
    commandRow->setCommand(text);
}

QString RunForm::command() const {
    return commandRow->command();
}

QByteArray RunForm::saveState() const {
    return visualizers::packed(fields->values(), trace->isChecked(), target->target());
}

void RunForm::restoreState(const QByteArray& state) {
    if (const auto read = visualizers::unpacked<QMap<QString, QString>, bool, QString>(state)) {
        const auto& [values, traces, device] = *read;
        fields->setValues(values);
        trace->setChecked(traces);
        target->choose(device);
    }
}

}  // namespace et::studio
