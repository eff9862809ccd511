#include "app/studio/gap/gap_options.h"

#include "app/studio/form_rows.h"
#include "app/studio/start_command.h"
#include "app/tasks/base/option_list.h"
#include "inspector/session/package_program.h"
#include "inspector/session/session.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QToolBar>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

using inspector::Session;

/// Predefined input sets; others can be typed.
constexpr std::array inputChoices{
    Choice{"", "default inputs",
           "The bundled case or the record's inputs; plus two random sets when operators are replayed"},
    Choice{"bundled", "bundled", "The first case of the bundled program, or the record's inputs"},
    Choice{"example", "example", "The example inputs of the ETRecord"},
    Choice{"random:3", "random:3", "Three random sets in the same range"},
    Choice{"extreme", "extreme", "Zeros, four times the range, and a ramp over the range"},
    Choice{"bundled,random:5,extreme", "bundled,random:5,extreme", "All of these in turn"},
};

constexpr std::array precisionChoices{
    Choice{"exported", "as exported", "Compute the reference in the graph's dtypes"},
    Choice{"double", "double", "Compute the reference in double precision"},
};

/// Sources of the runtime's values.
constexpr std::array runChoices{
    Choice{"program", "program", "Run the program here, in a separate process"},
    Choice{"trace", "trace", "Use the values in the open trace and its debug buffer"},
};

constexpr double maxTolerance = 1000;

bool hasProgram(const Session& session) {
    return !inspector::runnableFile(session.files).empty();
}

bool hasValues(const Session& session) {
    return !session.files.trace.empty() && !session.files.debugBuffer.empty();
}

}  // namespace

QString missingForGap(const Session* session) {
    if (session == nullptr) {
        return QStringLiteral(
            "Open a program and its ETRecord to compare each operator with the exported graph and find the "
            "first divergence.");
    }
    if (!session->record) {
        return QStringLiteral("Open the ETRecord too: it contains the exported graph.");
    }
    if (!hasProgram(*session) && !hasValues(*session)) {
        return QStringLiteral("Open the program too, or a trace with its debug buffer.");
    }
    return {};
}

GapOptionsTools::GapOptionsTools(QToolBar& bar)
    : QObject(&bar),
      runBox(visualizers::choiceBox("gapRun", QStringLiteral("Values to compare with the graph's"), &bar)),
      methodBox(new QComboBox(&bar)),
      inputBox(new QComboBox(&bar)),
      precisionBox(
          visualizers::choiceBox("gapPrecision", QStringLiteral("How the reference is computed"), &bar)),
      bisectBox(new QCheckBox(QStringLiteral("Replay operators"), &bar)),
      toleranceBox(new QDoubleSpinBox(&bar)) {
    fillChoices(*runBox, runChoices);
    runAction = bar.addWidget(runBox);
    methodBox->setToolTip(QStringLiteral("Method of the program"));
    methodAction = bar.addWidget(methodBox);
    createInputs(bar);
    fillChoices(*precisionBox, precisionChoices);
    bisectBox->setObjectName(QStringLiteral("gapBisect"));
    bisectBox->setChecked(true);
    bisectBox->setToolTip(QStringLiteral(
        "Run each operator alone on the runtime's inputs, to separate its own error from inherited error "
        "and find the first divergence"));
    toleranceBox->setObjectName(QStringLiteral("gapTolerance"));
    toleranceBox->setRange(0.01, maxTolerance);
    toleranceBox->setValue(1);
    toleranceBox->setPrefix(QStringLiteral("× "));
    toleranceBox->setToolTip(
        QStringLiteral("Allowed error of an operator, as a multiple of the rounding error"));
    addFields(*addMenuButton(bar, QStringLiteral("Options"), QStringLiteral("Options of the reference")),
              {{QStringLiteral("Reference"), precisionBox},
               {QString(), bisectBox},
               {QStringLiteral("Tolerance"), toleranceBox}});
    for (QComboBox* const box : {runBox, precisionBox, inputBox}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    }
    connect(bisectBox, &QCheckBox::toggled, this, &GapOptionsTools::showState);
    connect(runBox, &QComboBox::currentIndexChanged, this, &GapOptionsTools::showState);
    setSession(nullptr);
}

void GapOptionsTools::createInputs(QToolBar& bar) {
    inputBox->setObjectName(QStringLiteral("gapInputs"));
    inputBox->setEditable(true);
    inputBox->setInsertPolicy(QComboBox::NoInsert);
    fillChoices(*inputBox, inputChoices);
    inputBox->setToolTip(
        QStringLiteral("Inputs: bundled, example, random:N, extreme; separate several with commas"));
    bar.addWidget(inputBox);
}

bool GapOptionsTools::runsProgram() const {
    return runBox->currentData() == QLatin1String(runChoices.front().key);
}

void GapOptionsTools::setSession(const Session* session) {
    const bool both = session != nullptr && hasProgram(*session) && hasValues(*session);
    runAction->setVisible(both);
    if (session != nullptr && !both) {
        runBox->setCurrentIndex(hasProgram(*session) ? 0 : 1);
    }
    const QString before = methodBox->currentText();
    methodBox->clear();
    if (session != nullptr && session->program) {
        for (const program::Method& each : session->program->methods) {
            methodBox->addItem(visualizers::toQString(each.name));
        }
    }
    methodBox->setCurrentIndex(std::max(methodBox->findText(before), 0));
    methodAction->setVisible(methodBox->count() > 1);
    showState();
}

void GapOptionsTools::showState() {
    toleranceBox->setEnabled(bisectBox->isChecked());
    inputBox->setEnabled(runsProgram());
}

tasks::GapSettings GapOptionsTools::filesOf(const Session& session, bool ofProgram) {
    tasks::GapSettings request;
    request.model.record = session.files.record;
    if (!ofProgram) {
        request.trace = session.files.trace;
        request.debugBuffer = session.files.debugBuffer;
        return request;
    }
    // A bundle contains the program and inputs for it.
    request.program = inspector::runnableFile(session.files);
    if (!session.files.tensorData.empty()) {
        request.model.tensorData = {session.files.tensorData};
    }
    return request;
}

tasks::GapSettings GapOptionsTools::request(const Session& session) const {
    tasks::GapSettings request = filesOf(session, runsProgram());
    tasks::OptionList options;
    tasks::addGapOptions(options, request);
    const auto give = [&](const char* option, const QString& value) {
        if (!value.isEmpty()) {
            static_cast<void>(options.at(option).store(value.toStdString()));
        }
    };
    if (runsProgram()) {
        const int known = inputBox->findText(inputBox->currentText());
        give("--inputs", known >= 0 ? inputBox->itemData(known).toString() : inputBox->currentText());
    }
    give("--method", methodBox->count() > 1 ? methodBox->currentText() : QString());
    give("--precision", precisionBox->currentData().toString());
    request.bisect = bisectBox->isChecked();
    request.tolerance = bisectBox->isChecked() ? toleranceBox->value() : 1;
    return request;
}

QByteArray GapOptionsTools::saveState() const {
    return visualizers::packed(inputBox->currentText(), precisionBox->currentIndex(), bisectBox->isChecked(),
                               toleranceBox->value());
}

void GapOptionsTools::restoreState(const QByteArray& state) {
    if (const auto read = visualizers::unpacked<QString, int, bool, double>(state)) {
        const auto& [inputs, precision, bisects, tolerance] = *read;
        inputBox->setCurrentText(inputs);
        precisionBox->setCurrentIndex(precision < precisionBox->count() ? precision : 0);
        bisectBox->setChecked(bisects);
        toleranceBox->setValue(tolerance);
    }
}

}  // namespace et::studio
