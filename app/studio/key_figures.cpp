#include "app/studio/key_figures.h"

#include "inspector/events/readable_name.h"
#include "inspector/session/placement.h"
#include "runtime/core/event_names.h"
#include "visualizers/toolkit/text.h"

#include <QObject>
#include <QStringList>

#include <algorithm>
#include <cstddef>

namespace et::studio {

namespace {

using inspector::Block;
using inspector::Event;
using visualizers::counted;
using visualizers::toQString;

using core::event_name::methodExecute;

const Event* findExecute(const Block& block) {
    const auto found = std::ranges::find(block.events, methodExecute, &Event::name);
    return found == block.events.end() || found->samples.empty() ? nullptr : &*found;
}

/// Returns the block of executions with the most runs; null if nothing was executed.
const Block* mainBlock(std::span<const Block> blocks) {
    const Block* largest = nullptr;
    for (const Block& block : blocks) {
        if (findExecute(block) && (!largest || block.runs.size() > largest->runs.size())) {
            largest = &block;
        }
    }
    return largest;
}

QStringList traceFigures(const inspector::EventBlocks& joined) {
    std::size_t runs = 0;
    std::size_t executions = 0;
    std::size_t events = 0;
    for (const Block& block : joined.blocks()) {
        runs += block.runs.size();
        executions += findExecute(block) ? block.runs.size() : 0;
        events += block.events.size();
    }
    QStringList figures{
        counted(executions > 0 ? executions : runs, QStringLiteral("1 run"), QStringLiteral("%1 runs")),
        counted(events, QStringLiteral("1 event"), QStringLiteral("%1 events"))};
    if (const Block* const block = mainBlock(joined.blocks())) {
        const Event& execute = *findExecute(*block);
        figures.append(QStringLiteral("%1 %2 (p50)")
                           .arg(toQString(inspector::events::readableOperator(*block, execute)),
                                visualizers::timeText(execute.statistics.p50, joined.options().target)));
    }
    return figures;
}

}  // namespace

QString keyFigures(const inspector::Session& session) {
    QStringList figures = session.blocks ? traceFigures(*session.blocks) : QStringList();
    if (session.bundle) {
        std::size_t cases = 0;
        for (const bundled_program::TestSuite& suite : session.bundle->suites) {
            cases += suite.cases.size();
        }
        figures.append(counted(cases, QStringLiteral("1 test case"), QStringLiteral("%1 test cases")));
    }
    return figures.join(QStringLiteral("  ·  "));
}

QString traceName(const inspector::SessionFiles& files, const std::filesystem::path& trace) {
    const auto isCalledSo = [&](const std::filesystem::path& other) {
        return other != trace && other.filename() == trace.filename();
    };
    const bool shared =
        isCalledSo(files.trace) || std::ranges::any_of(files.others, [&](const inspector::TraceFiles& other) {
            return isCalledSo(other.trace);
        });
    const auto name = shared ? trace.parent_path().filename() / trace.filename() : trace.filename();
    return toQString(name.string());
}

QString fileNames(const inspector::SessionFiles& files) {
    QStringList names;
    for (const std::filesystem::path& path : pathsOf(files)) {
        names.append(toQString(path.filename().string()));
    }
    return names.join(QStringLiteral(" + "));
}

}  // namespace et::studio
