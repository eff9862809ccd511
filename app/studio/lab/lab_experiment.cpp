#include "app/studio/lab/lab_experiment.h"

#include "app/studio/lab/lab_sites.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace et::studio {

using visualizers::LabCandidate;
using visualizers::LabChoice;
using visualizers::LabFigures;
using visualizers::LabScheme;

namespace {

QDateTime writtenAt(const std::filesystem::path& file) {
    return QFileInfo(QFile::decodeName(file.c_str())).lastModified();
}

}  // namespace

LabExperiment::LabExperiment(std::shared_ptr<const visualizers::LabStudy> of, LabRequest from,
                             const etrecord::Record& record)
    : sites(std::move(of)),
      inputs(std::move(from)),
      recordTime(writtenAt(inputs.record)),
      siteHandles(labHandles(record, *sites)),
      siteErrors(studio::siteErrors(*sites, siteHandles)),
      prediction(std::in_place, *sites, shares, known) {
}

bool LabExperiment::isOf(const std::filesystem::path& record) const {
    return hasStudy() && !record.empty() && inputs.record == record && writtenAt(record) == recordTime;
}

void LabExperiment::add(const std::vector<LabCandidate>& candidates) {
    visualizers::addCandidates(known, candidates);
    prediction.emplace(*sites, shares, known);
}

void LabExperiment::setTimes(std::vector<double> times) {
    shares = std::move(times);
    prediction.emplace(*sites, shares, known);
}

void LabExperiment::setProblem(const LabChoice& choice, const QString& problem) {
    unmeasurable.emplace_back(choice, problem);
}

LabFigures LabExperiment::figuresOf(const LabChoice& choice) const {
    const auto candidate = visualizers::candidateOf(known, choice);
    return candidate ? known[*candidate].figures : LabFigures();
}

LabFigures LabExperiment::predict(const LabChoice& choice) const {
    return prediction->of(choice);
}

QString LabExperiment::problemOf(const LabChoice& choice) const {
    const auto problem = std::ranges::find(unmeasurable, choice, &std::pair<LabChoice, QString>::first);
    return problem == unmeasurable.end() ? QString() : problem->second;
}

bool LabExperiment::isMeasured(const LabChoice& choice) const {
    const LabFigures figures = figuresOf(choice);
    return (figures.noise && figures.bytes && figures.milliseconds) ||
           std::ranges::contains(unmeasurable, choice, &std::pair<LabChoice, QString>::first);
}

std::optional<LabChoice> LabExperiment::nextToMeasure(const LabChoice& choice) const {
    for (const LabChoice& each : {choice, visualizers::sameChoice(*sites, LabScheme::Static8),
                                  visualizers::sameChoice(*sites, LabScheme::Float)}) {
        if (!isMeasured(each)) {
            return each;
        }
    }
    return std::nullopt;
}

}  // namespace et::studio
