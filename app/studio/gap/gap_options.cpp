#include "app/studio/gap/gap_options.h"

#include "inspector/session/session.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDataStream>
#include <QDoubleSpinBox>
#include <QIODevice>
#include <QToolBar>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

using inspector::Session;

struct Choice {
    const char* word;  ///< of et-inspect
    const char* text;
    const char* meaning;
};

/// Sets of inputs to begin with; a person can write others.
constexpr std::array inputChoices{
    Choice{"", QT_TRANSLATE_NOOP("gap", "usual inputs"),
           QT_TRANSLATE_NOOP("gap",
                             "Those of the bundled case, or that the record holds; and two random sets "
                             "when operators are replayed")},
    Choice{"bundled", QT_TRANSLATE_NOOP("gap", "bundled"),
           QT_TRANSLATE_NOOP("gap", "The first case of the bundled program, or what the record holds")},
    Choice{"example", QT_TRANSLATE_NOOP("gap", "example"),
           QT_TRANSLATE_NOOP("gap", "The example inputs that the program was exported with")},
    Choice{"random:3", QT_TRANSLATE_NOOP("gap", "random:3"),
           QT_TRANSLATE_NOOP("gap", "Three random sets of the same range")},
    Choice{"extreme", QT_TRANSLATE_NOOP("gap", "extreme"),
           QT_TRANSLATE_NOOP("gap",
                             "All zeros; the range four times as wide; one number from end to end of it")},
    Choice{"bundled,random:5,extreme", QT_TRANSLATE_NOOP("gap", "bundled,random:5,extreme"),
           QT_TRANSLATE_NOOP("gap", "All of these, one after the other")},
};

constexpr std::array precisionChoices{
    Choice{"exported", QT_TRANSLATE_NOOP("gap", "as exported"),
           QT_TRANSLATE_NOOP("gap", "The reference is computed in the dtypes of the graph")},
    Choice{"double", QT_TRANSLATE_NOOP("gap", "double"),
           QT_TRANSLATE_NOOP("gap", "Every float of the reference is computed in double precision")},
};

/// What the values of the runtime come from.
constexpr std::array runChoices{
    Choice{"program", QT_TRANSLATE_NOOP("gap", "program"),
           QT_TRANSLATE_NOOP("gap", "The program runs here, in a process of its own")},
    Choice{"trace", QT_TRANSLATE_NOOP("gap", "trace"),
           QT_TRANSLATE_NOOP("gap", "The values that the open trace and its debug buffer hold")},
};

constexpr double mostTolerance = 1000;

QString translated(const char* text) {
    return QCoreApplication::translate("gap", text);
}

template <std::size_t N>
void fill(QComboBox& box, const std::array<Choice, N>& choices) {
    for (const Choice& each : choices) {
        box.addItem(translated(each.text), QLatin1String(each.word));
        box.setItemData(box.count() - 1, translated(each.meaning), Qt::ToolTipRole);
    }
    box.setSizeAdjustPolicy(QComboBox::AdjustToContents);
}

bool hasProgram(const Session& session) {
    return !session.files.program.empty() || !session.files.bundle.empty();
}

bool hasValues(const Session& session) {
    return !session.files.trace.empty() && !session.files.debugBuffer.empty();
}

}  // namespace

QString missingForGap(const Session* session) {
    if (session == nullptr) {
        return translated(
            "Open a program and the ETRecord of its export: the gap says how far every operator "
            "is from the graph, and which one is to blame.");
    }
    if (!session->record) {
        return translated(
            "Open the ETRecord of the export too: its graphs are what the program is compared "
            "with.");
    }
    if (!hasProgram(*session) && !hasValues(*session)) {
        return translated("Open the program too, to run it here, or a trace with its debug buffer.");
    }
    return {};
}

GapOptionsTools::GapOptionsTools(QToolBar& bar)
    : QObject(&bar),
      runBox(new QComboBox(&bar)),
      methodBox(new QComboBox(&bar)),
      inputBox(new QComboBox(&bar)),
      precisionBox(new QComboBox(&bar)),
      bisectBox(new QCheckBox(tr("Replay operators"), &bar)),
      toleranceBox(new QDoubleSpinBox(&bar)) {
    runBox->setObjectName(QStringLiteral("gapRun"));
    fill(*runBox, runChoices);
    runBox->setToolTip(tr("Whose values are compared with the graph's"));
    runAction = bar.addWidget(runBox);
    methodBox->setToolTip(tr("Method of the program"));
    methodAction = bar.addWidget(methodBox);
    createInputs(bar);
    precisionBox->setObjectName(QStringLiteral("gapPrecision"));
    fill(*precisionBox, precisionChoices);
    precisionBox->setToolTip(tr("How the reference is computed"));
    bar.addWidget(precisionBox);
    bisectBox->setObjectName(QStringLiteral("gapBisect"));
    bisectBox->setChecked(true);
    bisectBox->setToolTip(
        tr("Run every operator alone on the inputs that the runtime had: tells its own error "
           "from what it inherits, and finds the first divergence"));
    bar.addWidget(bisectBox);
    toleranceBox->setObjectName(QStringLiteral("gapTolerance"));
    toleranceBox->setRange(0.01, mostTolerance);
    toleranceBox->setValue(1);
    toleranceBox->setPrefix(tr("tolerance × "));
    toleranceBox->setToolTip(tr("How many times what rounding explains an own error may be"));
    bar.addWidget(toleranceBox);
    connect(bisectBox, &QCheckBox::toggled, this, &GapOptionsTools::showState);
    connect(runBox, &QComboBox::currentIndexChanged, this, &GapOptionsTools::showState);
    setSession(nullptr);
}

void GapOptionsTools::createInputs(QToolBar& bar) {
    inputBox->setObjectName(QStringLiteral("gapInputs"));
    inputBox->setEditable(true);
    inputBox->setInsertPolicy(QComboBox::NoInsert);
    fill(*inputBox, inputChoices);
    inputBox->setToolTip(
        tr("Inputs to run on: bundled, example, random:N, extreme, or several of them with commas between"));
    bar.addWidget(inputBox);
}

bool GapOptionsTools::runsProgram() const {
    return runBox->currentData() == QLatin1String(runChoices.front().word);
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

GapRequest GapOptionsTools::filesOf(const Session& session, bool ofProgram) {
    GapRequest request;
    request.record = session.files.record;
    if (ofProgram) {
        // A bundle has the program and inputs for it.
        request.program = session.files.bundle.empty() ? session.files.program : session.files.bundle;
        request.tensorData = session.files.tensorData;
    } else {
        request.trace = session.files.trace;
        request.debugBuffer = session.files.debugBuffer;
    }
    return request;
}

GapRequest GapOptionsTools::request(const Session& session) const {
    GapRequest request = filesOf(session, runsProgram());
    if (runsProgram()) {
        const int known = inputBox->findText(inputBox->currentText());
        request.inputs = known >= 0 ? inputBox->itemData(known).toString() : inputBox->currentText();
    }
    request.method = methodBox->count() > 1 ? methodBox->currentText() : QString();
    request.precision = precisionBox->currentData().toString();
    request.bisect = bisectBox->isChecked();
    request.tolerance = toleranceBox->value();
    return request;
}

QByteArray GapOptionsTools::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << inputBox->currentText() << precisionBox->currentIndex() << bisectBox->isChecked()
           << toleranceBox->value();
    return state;
}

void GapOptionsTools::restoreState(const QByteArray& state) {
    QString inputs;
    int precision = 0;
    bool bisects = true;
    double tolerance = 1;
    QDataStream stream(state);
    stream >> inputs >> precision >> bisects >> tolerance;
    if (stream.status() == QDataStream::Ok) {
        inputBox->setCurrentText(inputs);
        precisionBox->setCurrentIndex(precision < precisionBox->count() ? precision : 0);
        bisectBox->setChecked(bisects);
        toleranceBox->setValue(tolerance);
    }
}

}  // namespace et::studio
