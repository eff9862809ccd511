#include "app/tasks/reduce/slowness.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/compare/budget.h"
#include "etdump/trace.h"
#include "inspector/comparison/statistics.h"
#include "inspector/format/quantities.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/fused_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::TimeTest;
using inspector::TimeVerdict;
using Clock = std::chrono::steady_clock;

constexpr inspector::TestOptions strictTest{.threshold = 0.05, .confidence = 0.999, .paired = true};
constexpr std::size_t warmUpRounds = 3;
constexpr std::size_t fewestRounds = 20;
constexpr std::size_t mostTimedRounds = 400;
constexpr std::chrono::milliseconds longEnough(600);

std::string timeText(double nanoseconds) {
    return inspector::format::readableTime(nanoseconds);
}

/// Sums the times of the instructions of a run: the longest event of each, since an operator's event lies
/// within its instruction's event.
class InstructionTime final : public core::EventTracer, public core::TakesFusedEvents {
  public:
    [[nodiscard]] core::TraceName name(std::string_view) override { return {}; }
    void beginRun(std::string_view) override { longest.clear(); }
    void endRun() override {}
    void profile(core::TraceName, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes) override {
        if (ids.chain == 0 && ids.instruction >= 0 && ids.delegateInt < 0 && ids.delegateString.empty()) {
            double& time = longest[ids.instruction];
            time = std::max(time, static_cast<double>(end - start));
        }
    }
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}

    [[nodiscard]] double sum() const {
        double all = 0;
        for (const auto& [instruction, time] : longest) {
            all += time;
        }
        return all;
    }

  private:
    std::map<std::int32_t, double> longest;
};

/// A loaded part, executed on its inputs.
struct Runner {
    const PartMaker* maker = nullptr;
    ProgramPiece piece{};
    const InstructionTime* inside = nullptr;  ///< of the piece; null: the whole execution is measured

    [[nodiscard]] Result<double> time() const {
        const auto start = Clock::now();
        double traced = 0;
        for (std::size_t i = 0; i < maker->cases().cases.size(); ++i) {
            ET_TRY(piece.execute(maker->inputsOfCase(i)));
            traced += inside == nullptr ? 0 : inside->sum();
        }
        const std::chrono::duration<double, std::nano> whole = Clock::now() - start;
        return inside == nullptr ? whole.count() : traced / static_cast<double>(maker->cases().cases.size());
    }
};

/// Measures each runner alternately; times in nanoseconds.
Result<std::vector<std::vector<double>>> measure(const std::vector<Runner>& runners) {
    std::vector<std::vector<double>> times(runners.size());
    const auto begin = Clock::now();
    for (std::size_t round = 0; round < warmUpRounds + mostTimedRounds; ++round) {
        const bool isEnough = round >= warmUpRounds + fewestRounds && Clock::now() - begin > longEnough;
        if (isEnough || InterruptionGuard::requested()) {
            break;
        }
        for (std::size_t i = 0; i < runners.size(); ++i) {
            ET_ASSIGN(const double time, runners[i].time());
            if (round >= warmUpRounds) {
                times[i].push_back(time);
            }
        }
    }
    return times;
}

/// Times of the part's instructions in each run of a trace.
Result<std::vector<double>> timesIn(const std::filesystem::path& path, const PartChoice& part) {
    ET_ASSIGN(auto trace, etdump::Trace::open(path));
    inspector::JoinOptions options;
    options.target = inspector::TimeScale::Nanoseconds;
    ET_ASSIGN(const auto blocks, inspector::EventBlocks::build(std::move(trace), nullptr, nullptr, options));
    std::vector<double> sums;
    for (const std::size_t instruction : part.instructions) {
        const inspector::Event* found = nullptr;
        for (const inspector::Block& block : blocks->blocks()) {
            for (const inspector::Event& each : block.events) {
                const bool isIt = each.chain == 0 && !each.delegated && !each.samples.empty() &&
                                  each.instruction.value == static_cast<std::int32_t>(instruction);
                const bool isLonger = isIt && (found == nullptr || each.typical() > found->typical());
                found = isLonger ? &each : found;
            }
        }
        if (found == nullptr) {
            continue;  // moves and jumps are not timed
        }
        sums.resize(sums.empty() ? found->samples.size() : std::min(sums.size(), found->samples.size()));
        for (std::size_t run = 0; run < sums.size(); ++run) {
            sums[run] += found->samples[run];
        }
    }
    if (sums.empty()) {
        return fail(ErrorCode::NotFound, "the trace has no time for an instruction of the part",
                    {.file = path.string()});
    }
    return sums;
}

void sayTest(const TimeTest& test, CandidateReport& report) {
    report.fails = test.verdict == TimeVerdict::Slower;
    report.signature = "slower";
    report.expected = timeText(test.medianA);
    report.got = timeText(test.medianB);
    report.message = fmt::format("it takes {}, {:.2f} times the {} of the other side{}", report.got,
                                 test.ratio.value_or(0), report.expected,
                                 report.fails ? "" : fmt::format(": {}", inspector::name(test.verdict)));
}

/// Builds the part without the plugins, on the same inputs.
Result<std::unique_ptr<PartMaker>> withoutPlugins(const PartMaker& maker, const CandidateSettings& settings,
                                                  const PartChoice& part) {
    ModelOptions options = settings.options;
    options.plugins.clear();
    options.inputs.clear();
    ET_ASSIGN(auto other, PartMaker::open(settings.model, options, 1));
    ET_TRY(other->cut(part));
    other->cases() = maker.cases();
    return other;
}

Result<> compareWithTime(const std::vector<double>& times, double limit, CandidateReport& report) {
    const std::vector<double> same(times.size(), limit);
    sayTest(inspector::testTimes(same, times, strictTest), report);
    return {};
}

}  // namespace

Result<OtherSide> parseOtherSide(std::string_view than, bool hasPlugins) {
    if (than.empty() && !hasPlugins) {
        return fail(ErrorCode::InvalidArgument,
                    "--fails slower needs --against or --plugin to determine the expected time");
    }
    const bool isTime = !than.empty() && than.front() >= '0' && than.front() <= '9';
    std::error_code unknown;
    if (!isTime || std::filesystem::exists(than, unknown)) {
        return OtherSide{.nanoseconds = {}, .trace = than};
    }
    const auto budget = parseBudget(fmt::format("p50>{}", than));
    if (!budget) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--against: expected a time such as 5ms, or a trace, got \"{}\"",
                                core::printable(than)));
    }
    return OtherSide{.nanoseconds = budget->limit, .trace = {}};
}

Result<> evaluateSlowness(PartMaker& maker, const CandidateSettings& settings, const PartChoice& part,
                          CandidateReport& report) {
    ET_ASSIGN(const OtherSide side, parseOtherSide(settings.than, !settings.options.plugins.empty()));
    InstructionTime inside;
    std::vector<Runner> runners(1);
    runners[0].maker = &maker;
    runners[0].inside = side.trace.empty() ? nullptr : &inside;
    ET_ASSIGN(runners[0].piece, maker.loadPart(side.trace.empty() ? nullptr : &inside));
    if (side.nanoseconds) {
        ET_ASSIGN(const auto times, measure(runners));
        return compareWithTime(times[0], *side.nanoseconds, report);
    }
    if (!side.trace.empty()) {
        if (!part.nodes.empty()) {
            return fail(ErrorCode::Unsupported, "a trace has no times for the operators of a part");
        }
        ET_ASSIGN(const auto other, timesIn(side.trace, part));
        ET_ASSIGN(const auto times, measure(runners));
        inspector::TestOptions apart = strictTest;
        apart.paired = false;
        sayTest(inspector::testTimes(other, times[0], apart), report);
        return {};
    }
    ET_ASSIGN(const auto plain, withoutPlugins(maker, settings, part));
    Runner& other = runners.emplace_back();
    other.maker = plain.get();
    ET_ASSIGN(other.piece, plain->loadPart(nullptr));
    ET_ASSIGN(const auto times, measure(runners));
    sayTest(inspector::testTimes(times[1], times[0], strictTest), report);
    return {};
}

}  // namespace et::tasks
