#include "app/studio/lab/lab_jobs.h"

#include "visualizers/toolkit/text.h"

#include <QFile>
#include <QSaveFile>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace fs = std::filesystem;
using visualizers::LabChoice;
using visualizers::toQString;

namespace {

bool isDone(const RunEnd& end) {
    return end.kind == RunEnd::Kind::Finished && end.exitCode == 0;
}

QString labProblem(const RunEnd& end) {
    return end.kind == RunEnd::Kind::Cancelled ? QString() : failureMessage(end);
}

}  // namespace

LabJobs::LabJobs(const QSettings& settings, QObject* parent) : QObject(parent), store(settings) {
    connect(&front, &RunProcess::progressed, this, &LabJobs::takeProgress);
    connect(&front, &RunProcess::ended, this, &LabJobs::takeFront);
    connect(&behind, &RunProcess::ended, this, &LabJobs::takeMeasured);
}

fs::path LabJobs::adjacentRecord(const fs::path& program) {
    return fs::path(program).replace_extension(".etrecord");
}

fs::path LabJobs::adjacentRecipe(const fs::path& program) {
    return fs::path(program).replace_extension(".py");
}

fs::path LabJobs::temporaryProgram() const {
    return fs::path(QFile::encodeName(folder.path()).toStdString()) / "chosen.pte";
}

fs::path LabJobs::fileOf(std::size_t number) const {
    return fs::path(QFile::encodeName(folder.path()).toStdString()) / fmt::format("program{}.pte", number);
}

void LabJobs::start(Kind next, const QStringList& arguments, RunProcess::ProgressOutput telling) {
    cancelMeasurements();
    kind = next;
    front.start(RunProcess::findProgram(store), arguments, telling);
    emit stateChanged();
}

void LabJobs::study(const LabRequest& request) {
    for (LabChoice& each : made) {
        each.clear();  // measured with other inputs
    }
    start(Kind::Study, sensitivityArguments(request), RunProcess::ProgressOutput::Progress);
}

void LabJobs::search(const LabRequest& request, int seconds, const tasks::OptimizeBudget& budget,
                     std::shared_ptr<const visualizers::LabStudy> of) {
    searchedStudy = std::move(of);
    start(Kind::Search, searchArguments(request, seconds, budget), RunProcess::ProgressOutput::Progress);
}

void LabJobs::write(const LabRequest& request, const QStringList& schemes, const fs::path& program) {
    writing = program;
    start(Kind::Write, programArguments(request, schemes, program, adjacentRecord(program), true),
          RunProcess::ProgressOutput::Nothing);
}

void LabJobs::takeProgress(const RunProgress& now) {
    if (now.point.isEmpty()) {
        emit progressed(now);
    } else if (kind == Kind::Search) {
        const auto candidates = visualizers::readLabCandidates(
            "{\"schema\": 1, \"points\": [" + now.point + "]}", *searchedStudy);
        if (candidates) {  // at the end the result contains it again
            emit found(*candidates);
        }
    }
}

void LabJobs::takeFront(const RunEnd& end) {
    switch (std::exchange(kind, Kind::None)) {
        case Kind::Study:
            takeStudy(end);
            break;
        case Kind::Search:
            takeSearch(end);
            break;
        case Kind::Write:
            takeProgram(end);
            break;
        case Kind::None:
            break;
    }
    emit stateChanged();
}

void LabJobs::takeStudy(const RunEnd& end) {
    if (!isDone(end)) {
        emit failed(labProblem(end));
        return;
    }
    auto study = visualizers::readLabStudy(end.output);
    if (study) {
        emit studied(std::make_shared<const visualizers::LabStudy>(*std::move(study)));
    } else {
        emit failed(toQString(study.error().toString()));
    }
}

/// Uses the results of a search even if it was cancelled.
void LabJobs::takeSearch(const RunEnd& end) {
    auto candidates = visualizers::readLabCandidates(end.output, *searchedStudy);
    if (candidates) {
        emit found(*candidates);
        emit searched();
    } else {
        emit failed(isDone(end) ? toQString(candidates.error().toString()) : labProblem(end));
    }
}

void LabJobs::takeProgram(const RunEnd& end) {
    if (!isDone(end)) {
        emit failed(labProblem(end));
        return;
    }
    QSaveFile recipe(QFile::decodeName(adjacentRecipe(writing).c_str()));
    if (!recipe.open(QIODevice::WriteOnly) || recipe.write(end.output) != end.output.size() ||
        !recipe.commit()) {
        emit failed(QStringLiteral("cannot write %1: %2").arg(recipe.fileName(), recipe.errorString()));
        return;
    }
    emit written({.program = writing, .record = adjacentRecord(writing)});
}

void LabJobs::measure(const LabRequest& request, const QStringList& schemes, const LabChoice& choice) {
    if (behind.running() || measuredChoice) {
        return;
    }
    measuredChoice = choice;
    timing = false;
    made.push_back(choice);
    const fs::path program = fileOf(made.size() - 1);
    behind.start(RunProcess::findProgram(store),
                 programArguments(request, schemes, program, adjacentRecord(program)),
                 RunProcess::ProgressOutput::Nothing);
    emit stateChanged();
}

void LabJobs::cancelMeasurements() {
    behind.cancel();
}

void LabJobs::takeMeasured(const RunEnd& end) {
    if (!measuredChoice) {
        return;
    }
    if (!isDone(end)) {
        endMeasuring(labProblem(end));
        return;
    }
    if (timing) {
        const auto time = visualizers::readLabTime(end.output);
        if (time) {
            emit measuredOne(*measuredChoice, {.milliseconds = *time});
        }
        endMeasuring(time ? QString() : toQString(time.error().toString()));
        return;
    }
    const auto figures = visualizers::readLabProgram(end.output);
    if (!figures) {
        endMeasuring(toQString(figures.error().toString()));
        return;
    }
    timing = true;
    emit measuredOne(*measuredChoice, *figures);
    // A listener may have given up measuring, which does not stop a process that has already ended.
    behind.start(RunProcess::findProgram(store), timeArguments(fileOf(made.size() - 1)),
                 RunProcess::ProgressOutput::Nothing);
}

void LabJobs::endMeasuring(const QString& problem) {
    const LabChoice choice = *std::exchange(measuredChoice, std::nullopt);
    if (!timing) {
        made.back().clear();  // its files were not written
    }
    if (!problem.isEmpty()) {
        emit notMeasured(choice, problem);
    }
    emit stateChanged();
}

std::optional<LabProgram> LabJobs::programOf(const LabChoice& choice) const {
    const auto found = std::ranges::find(made, choice);
    const bool isBeingMade = measuredChoice == choice && !timing;
    if (choice.empty() || found == made.end() || isBeingMade) {
        return std::nullopt;
    }
    const fs::path program = fileOf(static_cast<std::size_t>(found - made.begin()));
    return LabProgram{.program = program, .record = adjacentRecord(program)};
}

}  // namespace et::studio
