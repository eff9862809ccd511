// Files of the lab: inputs, programs, pictures.
#include "app/studio/card_page.h"
#include "app/studio/file_dialog.h"
#include "app/studio/lab/lab_panel.h"
#include "app/studio/shell_text.h"
#include "inspector/session/placement.h"
#include "visualizers/lab/pareto_widget.h"
#include "visualizers/lab/site_model.h"
#include "visualizers/open_session.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QProgressBar>
#include <QSaveFile>
#include <QSvgGenerator>

#include <utility>

namespace et::studio {

namespace {

const QString labFolderKey = QStringLiteral("lab/folder");
constexpr QSize plotPage(900, 560);
constexpr int plotScale = 2;
/// Cards of the page shown before a study, in order.
constexpr std::size_t studyCard = 0;
constexpr std::size_t calibrationCard = 1;
constexpr std::size_t evaluationCard = 2;
constexpr std::size_t fileCard = 3;

std::filesystem::path pathOfName(const QString& name) {
    return QFile::encodeName(name).toStdString();
}

QString nameOfFile(const std::filesystem::path& path) {
    return QFile::decodeName(path.filename().c_str()).toHtmlEscaped();
}

/// White, independent of the theme: the picture is for documents.
QPalette pageColours() {
    QPalette colours;
    colours.setColor(QPalette::Base, Qt::white);
    colours.setColor(QPalette::Text, Qt::black);
    colours.setColor(QPalette::PlaceholderText, QColor(0x59, 0x59, 0x59));
    colours.setColor(QPalette::Highlight, QColor(0x00, 0x72, 0xb2));
    return colours;
}

QImage plotImage(const visualizers::ParetoWidget& plot) {
    QImage image(plotPage * plotScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(plotScale);
    QPainter painter(&image);
    painter.setLayoutDirection(Qt::LeftToRight);
    plot.paintPage(painter, QRectF(QPointF(), QSizeF(plotPage)), pageColours());
    return image;
}

QByteArray plotSvg(const visualizers::ParetoWidget& plot) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(plotPage);
    generator.setViewBox(QRect(QPoint(), plotPage));
    generator.setTitle(plot.accessibleName());
    QPainter painter(&generator);
    painter.setLayoutDirection(Qt::LeftToRight);
    plot.paintPage(painter, QRectF(QPointF(), QSizeF(plotPage)), pageColours());
    painter.end();
    return buffer.data();
}

}  // namespace

void LabPanel::showStart() {
    const QString missing = missingForLab(opened.session().get());
    for (const std::size_t card : {studyCard, calibrationCard, evaluationCard}) {
        start->setCardShown(card, missing.isEmpty());
    }
    start->setCardShown(fileCard, !missing.isEmpty());
    start->showBelow(missing.isEmpty());
    const QString question =
        QStringLiteral("How do size, time and error change if parts of this model are int8?");
    start->setHeadline(!missing.isEmpty()    ? missing
                       : !failure.isEmpty()  ? failure
                       : knownLine.isEmpty() ? question
                                             : question + u'\n' + knownLine);
    if (!missing.isEmpty()) {
        start->setText(fileCard,
                       QStringLiteral("The exporter writes it (.etrecord) with the graph before lowering."));
        return;
    }
    const bool fromBundle = opened.session()->files.bundle == request.calibration;
    start->setText(calibrationCard,
                   request.calibration.empty()
                       ? QStringLiteral("Tensors (.npz, .npy, .pt), with one or more calls, or a "
                                        "bundled program (.bpte). They determine the value ranges.")
                   : fromBundle
                       ? QStringLiteral("The cases of the open %1.").arg(nameOfFile(request.calibration))
                       : nameOfFile(request.calibration));
    start->setText(
        evaluationCard,
        request.evaluation.empty()
            ? QStringLiteral(
                  "The same as for calibration. Different inputs predict the error on new inputs better.")
            : nameOfFile(request.evaluation));
    start->setText(
        studyCard,
        jobs.running() == LabJobs::Kind::Study
            ? QStringLiteral("Measuring… (Ctrl+. cancels)")
            : QStringLiteral("Quantizes each site alone and runs it, to measure its error, the cause and the "
                             "bytes saved. Takes seconds for small models.") +
                  (request.calibration.empty() ? u' ' + QStringLiteral("Inputs for calibration are required.")
                                               : QString()));
    start->setButtonEnabled(studyCard, !request.calibration.empty() && jobs.running() == LabJobs::Kind::None);
}

void LabPanel::act(std::size_t card) {
    switch (card) {
        case studyCard:
            study();
            break;
        case calibrationCard:
        case evaluationCard:
            chooseInputs(card == evaluationCard);
            break;
        default:
            askForFiles();
    }
}

void LabPanel::chooseInputs(bool forEvaluation) {
    chooseFileToOpen(this, store,
                     {.title = QStringLiteral("Choose Inputs"),
                      .filters = QStringLiteral("Inputs (*.npz *.npy *.pt *.bpte);;All files (*)"),
                      .folderKey = labFolderKey,
                      .objectName = QStringLiteral("labInputs")},
                     [this, forEvaluation](const std::filesystem::path& file) {
                         forEvaluation ? setEvaluation(file) : setCalibration(file);
                     });
}

void LabPanel::editInputs() {
    editing = !editing;
    request = editing ? request : studied;
    showState();
}

void LabPanel::use(AfterBuild wish) {
    if (!current || jobs.running() != LabJobs::Kind::None) {
        return;
    }
    if (const auto program = jobs.programOf(model->choice())) {
        use(*program, wish);
        return;
    }
    wanted = wish;
    writeProgram(jobs.temporaryProgram());
}

void LabPanel::use(const LabProgram& program, AfterBuild wish) {
    if (wish == AfterBuild::Open) {
        openAlone({program.program, program.record});
    } else if (wish == AfterBuild::Compare) {
        compare(program);
    }
}

/// Compares with the open program or, if none is open, with the program of all sites in float.
void LabPanel::compare(const LabProgram& program) {
    if (opened.session()->program) {
        openBeside({program.program});
    } else if (const auto own = floatProgram()) {
        std::vector<std::filesystem::path> files = pathsOf(opened.session()->files);
        files.insert(files.end(), {own->program, program.program});
        openAlone(files);
    }
}

std::optional<LabProgram> LabPanel::floatProgram() const {
    return current ? jobs.programOf(visualizers::sameChoice(*current, visualizers::LabScheme::Float))
                   : std::nullopt;
}

void LabPanel::openProgram() {
    use(AfterBuild::Open);
}

void LabPanel::compareProgram() {
    use(AfterBuild::Compare);
}

void LabPanel::saveProgram() {
    chooseFileToSave(this, store,
                     {.title = QStringLiteral("Save This Program"),
                      .filters = QStringLiteral("Program (*.pte)"),
                      .folderKey = labFolderKey,
                      .suffix = QStringLiteral("pte"),
                      .objectName = QStringLiteral("labSave")},
                     [this](const std::filesystem::path& file) {
                         wanted = AfterBuild::None;
                         writeProgram(file);
                     });
}

void LabPanel::writeProgram(const std::filesystem::path& file) {
    if (current && jobs.running() == LabJobs::Kind::None) {
        progress->setRange(0, 0);
        jobs.write(studied, visualizers::schemeEntries(*current, model->choice()), file);
    }
}

void LabPanel::takeWritten(const LabProgram& program) {
    if (const AfterBuild wish = std::exchange(wanted, AfterBuild::None); wish != AfterBuild::None) {
        use(program, wish);
        return;
    }
    news = QStringLiteral("Written: %1, its ETRecord (.etrecord) and a Python script that builds it (.py)")
               .arg(QFile::decodeName(program.program.c_str()));
    showChoice();
}

SavedLab LabPanel::toKeep() const {
    if (!current || !hasContent() || studied.record != opened.session()->files.record) {
        return {};  // a session file only applies to its own model
    }
    const auto nameOf = [](const std::filesystem::path& path) { return QFile::decodeName(path.c_str()); };
    const bool fromBundle = opened.session()->files.bundle == studied.calibration;
    return {.record = labFingerprint(studied.record),
            .study = current->json,
            .candidates = visualizers::labCandidatesJson(*current, known),
            .schemes = visualizers::schemeEntries(*current, model->choice()),
            .calibration = fromBundle ? QString() : nameOf(studied.calibration),
            .evaluation = nameOf(studied.evaluation)};
}

void LabPanel::takeKept() {
    const auto& session = opened.session();
    const bool has = hasContent() && !kept.record.isEmpty() &&
                     !(current && studied.record == session->files.record) &&
                     labFingerprint(session->files.record) == kept.record;
    const auto study = has ? visualizers::readLabStudy(kept.study) : visualizers::readLabStudy({});
    if (!study) {
        return;
    }
    request.record = session->files.record;
    request.calibration = kept.calibration.isEmpty() ? session->files.bundle : pathOfName(kept.calibration);
    request.evaluation = pathOfName(kept.evaluation);
    asked = request;
    takeStudy(std::make_shared<const visualizers::LabStudy>(*study));
    model->setChoice(visualizers::choiceOfEntries(*current, kept.schemes));
    if (const auto candidates = visualizers::readLabCandidates(kept.candidates, *current)) {
        takeCandidates(*candidates);
    }
    kept = {};
}

void LabPanel::copyCommand() {
    if (current) {
        QApplication::clipboard()->setText(
            shellText(QStringList{QStringLiteral("et-inspect")} +
                      programArguments(studied, visualizers::schemeEntries(*current, model->choice()),
                                       "q.pte", "q.etrecord")));
    }
}

void LabPanel::copyPlot() {
    QApplication::clipboard()->setImage(plotImage(*pareto));
}

void LabPanel::askForPlot() {
    chooseFileToSave(this, store,
                     {.title = QStringLiteral("Save the Plot"),
                      .filters = QStringLiteral("SVG picture (*.svg);;PNG picture (*.png)"),
                      .folderKey = labFolderKey,
                      .suffix = QStringLiteral("svg"),
                      .objectName = QStringLiteral("labPlot")},
                     [this](const std::filesystem::path& file) {
                         if (const QString problem = savePlot(QFile::decodeName(file.c_str()));
                             !problem.isEmpty()) {
                             emit noticed(problem);
                         }
                     });
}

QString LabPanel::savePlot(const QString& file) const {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending != QLatin1String("svg") && ending != QLatin1String("png")) {
        return QStringLiteral("%1: file name must end in .svg or .png").arg(file);
    }
    QSaveFile out(file);
    bool good = out.open(QIODevice::WriteOnly);
    if (good && ending == QLatin1String("png")) {
        good = plotImage(*pareto).save(&out, "PNG");
    } else if (good) {
        const QByteArray svg = plotSvg(*pareto);
        good = out.write(svg) == svg.size();
    }
    return good && out.commit() ? QString()
                                : QStringLiteral("cannot write %1: %2").arg(file, out.errorString());
}

}  // namespace et::studio
