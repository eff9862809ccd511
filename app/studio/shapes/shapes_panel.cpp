#include "app/studio/shapes/shapes_panel.h"

#include "app/studio/option_fields.h"
#include "app/studio/panel_command.h"
#include "app/studio/shell_text.h"
#include "app/studio/start_command.h"
#include "app/tasks/shapes/shapes_run.h"
#include "inspector/session/package_program.h"
#include "inspector/session/session.h"
#include "visualizers/open_session.h"
#include "visualizers/shapes/size_plot.h"
#include "visualizers/shapes/tried_rows.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QStackedWidget>
#include <QToolBar>
#include <QTreeView>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace et::studio {

namespace {

namespace fs = std::filesystem;

constexpr int shapesProgressWidth = 160;
constexpr int rangeLetters = 24;
constexpr int shapesMargin = 8;

const fs::path& modelIn(const inspector::SessionFiles& files) {
    return inspector::runnableFile(files);
}

bool hasDynamicInput(const program::Method& method) {
    return std::ranges::any_of(method.inputs, [&](program::ValueId id) {
        const auto* const tensor = method.value(id).as<program::TensorInfo>();
        return tensor != nullptr && tensor->dynamism != program::ShapeDynamism::Static;
    });
}

}  // namespace

ShapesPanel::ShapesPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      store(context.settings),
      tools(new QToolBar(this)),
      range(new QLineEdit(this)),
      checks(new QCheckBox(QStringLiteral("Check bounds"), this)),
      times(new QCheckBox(QStringLiteral("Measure"), this)),
      progress(new QProgressBar(this)),
      head(visualizers::plainLabel("shapesSummary", this, {.sides = shapesMargin})),
      pages(new QStackedWidget(this)),
      hint(visualizers::hintLabel("shapesHint", this, {.selectable = true})),
      curves(visualizers::choiceBox("shapesCurve", QStringLiteral("Dimension to vary"), this)),
      remarks(visualizers::plainLabel("shapesNotes", this, {.sides = shapesMargin, .selectable = true})),
      picture(new visualizers::SizePlot(this)),
      tried(new visualizers::ReportTable(this)) {
    createTools();
    pages->addWidget(hint);
    pages->addWidget(createResult());
    visualizers::fillColumn(*this, {tools, head, pages});
    setFocusProxy(picture);
    connect(&opened, &visualizers::OpenSession::changed, this, &ShapesPanel::showSession);
    connect(&process, &RunProcess::ended, this, &ShapesPanel::take);
    connect(&process, &RunProcess::progressed, this,
            [this](const RunProgress& now) { showProgress(*progress, now); });
    connect(curves, &QComboBox::currentIndexChanged, this, &ShapesPanel::showCurve);
    showSession();
}

void ShapesPanel::createTools() {
    startAction = addStart(*this, *tools, QStringLiteral("&Try Sizes"), &ShapesPanel::start);
    startAction->setToolTip(
        QStringLiteral("Run sizes at, below and above each bound, and measure sizes in between"));
    copyAction = addCommand(*this, QStringLiteral("Copy Co&mmand for These Sizes"),
                            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), &ShapesPanel::copyCommand);
    cancelAction = addStop(*this, *tools, QStringLiteral("&Cancel Trying"), &ShapesPanel::cancel);
    tools->addSeparator();
    checks->setObjectName(QStringLiteral("shapesChecks"));
    checks->setChecked(true);
    times->setObjectName(QStringLiteral("shapesTimes"));
    times->setChecked(true);
    range->setObjectName(QStringLiteral("shapesRange"));
    range->setPlaceholderText(QStringLiteral("NAME=FIRST..LAST:STEP"));
    range->setToolTip(QStringLiteral("Sizes to measure, such as s0=1..128:16; empty: 17 per dimension"));
    range->setMaximumWidth(fontMetrics().averageCharWidth() * rangeLetters);
    tools->addWidget(checks);
    tools->addWidget(times);
    tools->addWidget(range);
    progress->setMaximumWidth(shapesProgressWidth);
    progressArea = tools->addWidget(progress);
    for (QCheckBox* const each : {checks, times}) {
        connect(each, &QCheckBox::toggled, this, &ShapesPanel::showState);
    }
}

QWidget* ShapesPanel::createResult() {
    auto* const above = new QWidget(this);
    visualizers::fillColumn(*above, {curves, picture, remarks}, picture);
    tried->view().setAccessibleName(QStringLiteral("Tested sizes"));
    tried->setHint(QStringLiteral("No sizes tested."));
    auto* const splitter = new visualizers::Splitter(Qt::Vertical, this);
    splitter->addParts({{above, 3}, {tried, 2}});
    splitter->setChildrenCollapsible(false);
    return splitter;
}

bool ShapesPanel::hasContent() const {
    const auto& session = opened.session();
    return session && session->program && !modelIn(session->files).empty() &&
           std::ranges::any_of(session->program->methods, hasDynamicInput);
}

QString ShapesPanel::summary() const {
    return head->text();
}

QString ShapesPanel::notes() const {
    return remarks->text();
}

QStringList ShapesPanel::arguments() const {
    const inspector::Session& session = *opened.session();
    const inspector::SessionFiles& files = session.files;
    tasks::ShapesSettings settings;
    settings.model = modelIn(files);
    const auto& methods = session.program->methods;
    if (methods.size() > 1) {
        settings.options.method = std::ranges::find_if(methods, hasDynamicInput)->name;
    }
    if (!files.tensorData.empty()) {
        settings.options.tensorData = {files.tensorData};
    }
    settings.options.record = session.recordOfProgram() != nullptr ? files.record : fs::path();
    settings.checks = checks->isChecked();
    settings.curves = times->isChecked();
    tasks::CommandArguments given = tasks::argumentsOf(settings, &tasks::addShapesOptions);
    const std::string sizes = range->text().trimmed().toStdString();
    if (settings.curves && !sizes.empty()) {
        given.options.push_back("--dim=" + sizes);  // et-inspect reports its errors
    }
    return commandArguments("shapes", given, {QStringLiteral("--format=json")});
}

void ShapesPanel::start() {
    if (running() || !hasContent()) {
        return;
    }
    failure.clear();
    model = modelIn(opened.session()->files);
    progress->setRange(0, 0);
    process.start(RunProcess::findProgram(store), arguments());
    showState();
}

void ShapesPanel::cancel() {
    process.cancel();
}

void ShapesPanel::copyCommand() {
    if (hasContent()) {
        QApplication::clipboard()->setText(
            shellText(QStringList{QStringLiteral("et-inspect")} + arguments()));
    }
}

/// Drops the study of another program.
void ShapesPanel::showSession() {
    if (!hasContent() || modelIn(opened.session()->files) != model) {
        process.cancel();
        known = false;
        failure.clear();
        model.clear();
    }
    showStudy();
}

/// Exit code 1 means that sizes fail; the result is complete.
void ShapesPanel::take(const RunEnd& end) {
    auto read = visualizers::readShapeStudy(end.output);
    if (model.empty()) {
        showState();
        return;
    }
    if (end.kind == RunEnd::Kind::Finished && read) {
        study = *std::move(read);
        known = true;
    } else {
        failure = end.kind == RunEnd::Kind::Cancelled ? QString() : failureMessage(end);
        emit noticed(failure);
    }
    showStudy();
}

void ShapesPanel::showStudy() {
    curves->clear();
    if (known) {
        for (const visualizers::SizeCurve& each : study.curves) {
            curves->addItem(each.dimension);
        }
    }
    curves->setVisible(curves->count() > 1);
    tried->setRows(known ? visualizers::triedRows(study) : visualizers::ReportRows{});
    showCurve();
    showState();
}

void ShapesPanel::showCurve() {
    const auto at = static_cast<std::size_t>(std::max(curves->currentIndex(), 0));
    const bool some = known && at < study.curves.size();
    picture->setCurve(some ? std::optional(study.curves[at]) : std::nullopt);
    picture->parentWidget()->setVisible(some || !known);
    remarks->setText(some ? study.curves[at].notes.join(u'\n') : QString());
    remarks->setVisible(!remarks->text().isEmpty());
}

void ShapesPanel::showState() {
    const bool idle = !running();
    startAction->setEnabled(idle && hasContent() && (checks->isChecked() || times->isChecked()));
    cancelAction->setVisible(!idle);
    copyAction->setEnabled(hasContent());
    range->setEnabled(times->isChecked());
    progressArea->setVisible(!idle);
    pages->setCurrentIndex(known ? 1 : 0);
    head->setVisible(known);
    if (known) {
        const QString verdict =
            study.tried.empty() ? QStringLiteral("no sizes checked")
            : study.failed == 0
                ? visualizers::counted(study.tried.size(), QStringLiteral("1 size checked, it passes"),
                                       QStringLiteral("%1 sizes checked, all pass"))
                : QStringLiteral("%1 of %2 sizes fail").arg(study.failed).arg(study.tried.size());
        head->setText(QStringLiteral("%1 · %2 · %3")
                          .arg(study.method, study.bounds.join(QStringLiteral(", ")), verdict));
    }
    showHint();
}

void ShapesPanel::showHint() {
    if (!opened.session() || !opened.session()->program) {
        hint->setText(QStringLiteral(
            "Open a program with dynamic input sizes to see which sizes are allowed, whether results are "
            "correct at the bounds, and how time depends on size."));
    } else if (!hasContent()) {
        hint->setText(QStringLiteral("All inputs of this program have fixed sizes."));
    } else if (running()) {
        hint->setText(QStringLiteral("Trying sizes… (Ctrl+. cancels)"));
    } else {
        hint->setText(failure.isEmpty() ? QStringLiteral("Runs and measures the allowed input sizes.")
                                        : failure);
    }
}

QByteArray ShapesPanel::saveState() const {
    return visualizers::packed(Panel::saveState(), checks->isChecked(), times->isChecked());
}

void ShapesPanel::restoreState(const QByteArray& state) {
    if (const auto read = visualizers::unpacked<QByteArray, bool, bool>(state)) {
        const auto& [sizes, checking, measuring] = *read;
        Panel::restoreState(sizes);
        checks->setChecked(checking);
        times->setChecked(measuring);
    }
}

}  // namespace et::studio
