// Files of the lab: inputs, programs, pictures.
#include "app/studio/card_page.h"
#include "app/studio/file_dialog.h"
#include "app/studio/lab/lab_room.h"
#include "app/studio/session_files.h"
#include "app/studio/shell_text.h"
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

void LabRoom::showStart() {
    const QString missing = missingForLab(opened.session().get());
    for (const std::size_t card : {studyCard, calibrationCard, evaluationCard}) {
        start->setCardShown(card, missing.isEmpty());
    }
    start->setCardShown(fileCard, !missing.isEmpty());
    start->showBelow(missing.isEmpty());
    const QString question = tr("What would be lost and won if parts of this model were int8?");
    start->setHeadline(!missing.isEmpty()    ? missing
                       : !failure.isEmpty()  ? failure
                       : knownLine.isEmpty() ? question
                                             : question + u'\n' + knownLine);
    if (!missing.isEmpty()) {
        start->setText(fileCard,
                       tr("An exporter writes it (.etrecord) when it keeps the graph before lowering."));
        return;
    }
    const bool fromBundle = opened.session()->files.bundle == request.calibration;
    start->setText(calibrationCard,
                   request.calibration.empty()
                       ? tr("Tensors (.npz, .npy, .pt), one call or several, or a bundled program (.bpte). "
                            "They say which ranges values have.")
                   : fromBundle ? tr("The cases of %1, which is open.").arg(nameOfFile(request.calibration))
                                : nameOfFile(request.calibration));
    start->setText(evaluationCard, request.evaluation.empty()
                                       ? tr("The same. Others tell more about inputs that come later.")
                                       : nameOfFile(request.evaluation));
    start->setText(
        studyCard,
        jobs.running() == LabJobs::Kind::Study
            ? tr("Measuring… (Ctrl+. cancels)")
            : tr("Each site is quantized alone and really run: its error, its cause, "
                 "and the bytes it saves. Seconds for small models.") +
                  (request.calibration.empty() ? u' ' + tr("It needs inputs to calibrate on.") : QString()));
    start->setButtonEnabled(studyCard, !request.calibration.empty() && jobs.running() == LabJobs::Kind::None);
}

void LabRoom::act(std::size_t card) {
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

void LabRoom::chooseInputs(bool forEvaluation) {
    chooseFileToOpen(this, store,
                     {.title = tr("Choose Inputs"),
                      .filters = tr("Inputs (*.npz *.npy *.pt *.bpte);;All files (*)"),
                      .folderKey = labFolderKey,
                      .objectName = QStringLiteral("labInputs")},
                     [this, forEvaluation](const std::filesystem::path& file) {
                         forEvaluation ? setEvaluation(file) : setCalibration(file);
                     });
}

void LabRoom::editInputs() {
    editing = !editing;
    request = editing ? request : studied;
    showState();
}

void LabRoom::use(Wish wish) {
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

void LabRoom::use(const LabProgram& program, Wish wish) {
    if (wish == Wish::Open) {
        openAlone({program.program, program.record});
    } else if (wish == Wish::Compare) {
        compare(program);
    }
}

/// Compares with the open program or, if none is open, with the program of all sites in float.
void LabRoom::compare(const LabProgram& program) {
    if (opened.session()->program) {
        openBeside({program.program});
    } else if (const auto own = floatProgram()) {
        std::vector<std::filesystem::path> files = pathsOf(opened.session()->files);
        files.insert(files.end(), {own->program, program.program});
        openAlone(files);
    }
}

std::optional<LabProgram> LabRoom::floatProgram() const {
    return current ? jobs.programOf(visualizers::sameChoice(*current, visualizers::LabScheme::Float))
                   : std::nullopt;
}

void LabRoom::openProgram() {
    use(Wish::Open);
}

void LabRoom::compareProgram() {
    use(Wish::Compare);
}

void LabRoom::saveProgram() {
    chooseFileToSave(this, store,
                     {.title = tr("Save This Program"),
                      .filters = tr("Program (*.pte)"),
                      .folderKey = labFolderKey,
                      .suffix = QStringLiteral("pte"),
                      .objectName = QStringLiteral("labSave")},
                     [this](const std::filesystem::path& file) {
                         wanted = Wish::None;
                         writeProgram(file);
                     });
}

void LabRoom::writeProgram(const std::filesystem::path& file) {
    if (current && jobs.running() == LabJobs::Kind::None) {
        progress->setRange(0, 0);
        jobs.write(studied, visualizers::schemeEntries(*current, model->choice()), file);
    }
}

void LabRoom::takeWritten(const LabProgram& program) {
    if (const Wish wish = std::exchange(wanted, Wish::None); wish != Wish::None) {
        use(program, wish);
        return;
    }
    news = tr("Written: %1, its ETRecord (.etrecord) and the Python that makes it (.py)")
               .arg(QFile::decodeName(program.program.c_str()));
    showChoice();
}

KeptLab LabRoom::toKeep() const {
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

void LabRoom::takeKept() {
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

void LabRoom::copyCommand() {
    if (current) {
        QApplication::clipboard()->setText(
            shellText(QStringList{QStringLiteral("et-inspect")} +
                      programArguments(studied, visualizers::schemeEntries(*current, model->choice()),
                                       "q.pte", "q.etrecord")));
    }
}

void LabRoom::copyPlot() {
    QApplication::clipboard()->setImage(plotImage(*pareto));
}

void LabRoom::askForPlot() {
    chooseFileToSave(this, store,
                     {.title = tr("Save the Plot"),
                      .filters = tr("SVG picture (*.svg);;PNG picture (*.png)"),
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

QString LabRoom::savePlot(const QString& file) const {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending != QLatin1String("svg") && ending != QLatin1String("png")) {
        return tr("%1: file name must end in .svg or .png").arg(file);
    }
    QSaveFile out(file);
    bool good = out.open(QIODevice::WriteOnly);
    if (good && ending == QLatin1String("png")) {
        good = plotImage(*pareto).save(&out, "PNG");
    } else if (good) {
        const QByteArray svg = plotSvg(*pareto);
        good = out.write(svg) == svg.size();
    }
    return good && out.commit() ? QString() : tr("cannot write %1: %2").arg(file, out.errorString());
}

}  // namespace et::studio
