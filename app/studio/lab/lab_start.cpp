#include "app/studio/lab/lab_start.h"

#include "app/studio/file_dialog.h"
#include "app/studio/lab/lab_folder.h"

#include <QFile>

#include <cstddef>

namespace et::studio {

namespace {

/// Cards in order.
constexpr std::size_t studyCard = 0;
constexpr std::size_t calibrationCard = 1;
constexpr std::size_t evaluationCard = 2;
constexpr std::size_t fileCard = 3;

QString escapedName(const std::filesystem::path& path) {
    return QFile::decodeName(path.filename().c_str()).toHtmlEscaped();
}

}  // namespace

LabStart::LabStart(QSettings& settings, QWidget* parent)
    : CardPage(parent), store(settings), known(new LabKnownSites(this)) {
    addCard(QStringLiteral("Sensitivity"), QStringLiteral("Measure Sensitivity (F9)"));
    addCard(QStringLiteral("Inputs for calibration"), QStringLiteral("Choose…"));
    addCard(QStringLiteral("Inputs for comparing outputs"), QStringLiteral("Choose…"));
    addCard(QStringLiteral("Float model"), QStringLiteral("Open…"));
    connect(this, &CardPage::acted, this, &LabStart::act);
    setBelow(known);
    connect(known, &LabKnownSites::summarized, this, [this](const QString& sentence) {
        summary = sentence;
        showAgain();
    });
}

void LabStart::setRecord(const std::filesystem::path& record) {
    inputs = {.record = record};
    summary.clear();
}

void LabStart::offerCalibration(const std::filesystem::path& file) {
    if (inputs.calibration.empty()) {
        inputs.calibration = file;
    }
}

void LabStart::showState(const LabStartState& state) {
    shown = state;
    showAgain();
}

void LabStart::showAgain() {
    const bool usable = shown.missing.isEmpty();
    for (const std::size_t card : {studyCard, calibrationCard, evaluationCard}) {
        setCardShown(card, usable);
    }
    setCardShown(fileCard, !usable);
    showBelow(usable);
    const QString question =
        QStringLiteral("How do size, time and error change if parts of this model are int8?");
    setHeadline(!usable                    ? shown.missing
                : !shown.failure.isEmpty() ? shown.failure
                : summary.isEmpty()        ? question
                                           : question + u'\n' + summary);
    if (!usable) {
        setText(fileCard,
                QStringLiteral("The exporter writes it (.etrecord) with the graph before lowering."));
        return;
    }
    const bool fromBundle = shown.bundle == inputs.calibration;
    setText(calibrationCard,
            inputs.calibration.empty()
                ? QStringLiteral("Tensors (.npz, .npy, .pt), with one or more calls, or a "
                                 "bundled program (.bpte). They determine the value ranges.")
            : fromBundle ? QStringLiteral("The cases of the open %1.").arg(escapedName(inputs.calibration))
                         : escapedName(inputs.calibration));
    setText(evaluationCard,
            inputs.evaluation.empty()
                ? QStringLiteral("The same as for calibration. Different inputs predict the error on new "
                                 "inputs better.")
                : escapedName(inputs.evaluation));
    const bool running = shown.running == LabJobs::Kind::Study;
    setText(
        studyCard,
        running
            ? QStringLiteral("Measuring… (Ctrl+. cancels)")
            : QStringLiteral("Quantizes each site alone and runs it, to measure its error, the cause and "
                             "the bytes saved. Takes seconds for small models.") +
                  (inputs.calibration.empty() ? u' ' + QStringLiteral("Inputs for calibration are required.")
                                              : QString()));
    setButtonEnabled(studyCard, !inputs.calibration.empty() && shown.running == LabJobs::Kind::None);
}

void LabStart::act(std::size_t card) {
    switch (card) {
        case studyCard:
            emit studyWanted();
            break;
        case calibrationCard:
            chooseInputs(&LabRequest::calibration);
            break;
        case evaluationCard:
            chooseInputs(&LabRequest::evaluation);
            break;
        default:
            emit filesWanted();
    }
}

void LabStart::chooseInputs(std::filesystem::path LabRequest::* into) {
    chooseFileToOpen(this, store,
                     {.title = QStringLiteral("Choose Inputs"),
                      .filters = QStringLiteral("Inputs (*.npz *.npy *.pt *.bpte);;All files (*)"),
                      .folderKey = labFolderKey,
                      .objectName = QStringLiteral("labInputs")},
                     [this, into](const std::filesystem::path& file) {
                         inputs.*into = file;
                         emit requestEdited();
                     });
}

}  // namespace et::studio
