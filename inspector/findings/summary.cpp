#include "inspector/findings/summary.h"

#include "inspector/findings/answers.h"
#include "inspector/findings/detail/dashboard_parts.h"
#include "inspector/findings/detail/rule_input.h"
#include "inspector/findings/detail/rules.h"
#include "inspector/format/quantities.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

namespace et::inspector {
namespace {

using findings::detail::MethodInput;
using findings::detail::RuleInput;
using format::readableBytes;
using format::readablePercent;

/// A step of the runtime, by its event name in traces.
struct StepInfo {
    std::string_view event;
    std::string_view label;
};
constexpr std::array steps{StepInfo{names::detail::loadMethod, "Load"},
                           StepInfo{names::detail::methodInit, "Init"},
                           StepInfo{names::detail::methodExecute, "Run"}};

std::string timesText(const RuleInput& input, const Event& event) {
    const Statistics& all = event.statistics;
    if (event.samples.size() == 1) {
        return input.timeText(all.p50);
    }
    const std::size_t outliers = outlierCount(event.samples);
    const std::string marks = outliers == 0 ? std::string() : fmt::format(", {} of them outliers", outliers);
    return fmt::format("p50 {}, p90 {}, first {}, {} times{}", input.timeText(all.p50),
                       input.timeText(all.p90), input.timeText(event.samples.front()), event.samples.size(),
                       marks);
}

void addTimes(const RuleInput& input, std::vector<KeyFigure>& figures) {
    if (input.session.blocks == nullptr) {
        return;
    }
    for (const StepInfo& step : steps) {
        if (const Event* const event = findings::detail::maxSampled(*input.session.blocks, step.event)) {
            figures.push_back({std::string(step.label), timesText(input, *event)});
        }
    }
}

std::vector<events::SlowOperator> findSlowest(const Session& session) {
    constexpr std::size_t most = 8;
    return session.blocks == nullptr ? std::vector<events::SlowOperator>()
                                     : events::slowestOperators(events::eventRows(*session.blocks), most);
}

void addSlowest(const RuleInput& input, const events::SlowOperator& slowest,
                std::vector<KeyFigure>& figures) {
    const std::string source =
        slowest.source.empty() ? std::string() : fmt::format(" ({})", core::printable(slowest.source));
    figures.push_back({"Slowest operator",
                       fmt::format("{}, {}, {}{}", core::printable(slowest.name),
                                   input.timeText(slowest.time), readablePercent(slowest.share), source)});
}

std::string compositionText(const MethodInput& method) {
    std::size_t kernels = 0;
    std::size_t calls = 0;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(method.instructions().size()); ++i) {
        kernels += method.kernelCall(core::InstructionId(i)) != nullptr ? 1U : 0U;
        calls += method.delegateCall(core::InstructionId(i)) != nullptr ? 1U : 0U;
    }
    const std::size_t count = method.instructions().size();
    return fmt::format("{} {}: {} of operators, {} of delegates", count,
                       count == 1 ? "instruction" : "instructions", kernels, calls);
}

std::string delegatedText(const MethodInput& method) {
    const DelegationTimes& times = *method.delegates->times;
    double copies = 0;
    for (const auto& [at, time] : method.times) {
        copies += method.kernelCall(at) != nullptr && isDataMovement(method.nameOf(at)) ? time : 0;
    }
    return fmt::format(
        "{} of the time, {} in other operators ({} in copies), {} between them",
        readablePercent(times.delegated / times.total), readablePercent(times.undelegated / times.total),
        readablePercent(copies / times.total), readablePercent(std::max(times.other(), 0.0) / times.total));
}

void addMethod(const MethodInput& method, bool only, std::vector<KeyFigure>& figures) {
    const auto label = [&](std::string_view what) {
        return only ? std::string(what) : fmt::format("{} of {}", what, core::printable(method.method->name));
    };
    figures.push_back(
        {fmt::format("Method {}", core::printable(method.method->name)), compositionText(method)});
    if (method.delegates != nullptr && method.delegates->times && method.delegates->times->total > 0) {
        figures.push_back({label("Delegated"), delegatedText(method)});
    }
    if (method.memory) {
        const MemoryTimeline& memory = *method.memory;
        figures.push_back(
            {label("Memory"),
             fmt::format("planned {}, peak {}; constants {}, delegates {}",
                         readableBytes(memory.plannedBytes()), readableBytes(memory.peakBytes()),
                         readableBytes(memory.constantBytes()), readableBytes(memory.delegateBytes()))});
    } else {
        figures.push_back({label("Memory"), "planned " + readableBytes(method.method->plannedBytes())});
    }
}

/// Methods that only return a constant, of which language models have many.
bool runsNothing(const MethodInput& method) {
    return method.instructions().empty() && (!method.memory || method.memory->plannedBytes() == 0);
}

void addConstantMethods(const RuleInput& input, std::vector<KeyFigure>& figures) {
    std::vector<std::string> names;
    for (const MethodInput& method : input.methods) {
        if (runsNothing(method)) {
            names.push_back(core::printable(method.method->name));
        }
    }
    if (!names.empty()) {
        figures.push_back(
            {names.size() == 1 ? "Constant method" : fmt::format("{} constant methods", names.size()),
             fmt::format("{}", fmt::join(names.begin(), names.end(), ", "))});
    }
}

void addTests(const Session& session, std::vector<KeyFigure>& figures) {
    if (session.bundle == nullptr) {
        return;
    }
    for (const bundled_program::TestSuite& suite : session.bundle->suites) {
        figures.push_back(
            {fmt::format("Tests of {}", core::printable(suite.method)),
             fmt::format("{} {}", suite.cases.size(), suite.cases.size() == 1 ? "case" : "cases")});
    }
}

}  // namespace

Summary summarize(const Session& session) {
    RuleInput input(session);
    fill(input);
    Summary summary;
    addTimes(input, summary.figures);
    summary.slowest = findSlowest(session);
    if (!summary.slowest.empty()) {
        addSlowest(input, summary.slowest.front(), summary.figures);
    }
    const auto running = std::ranges::count_if(input.methods, std::not_fn(runsNothing));
    for (const MethodInput& method : input.methods) {
        if (running == 0 || !runsNothing(method)) {
            addMethod(method, running <= 1, summary.figures);
        }
    }
    if (running > 0) {
        addConstantMethods(input, summary.figures);
    }
    addTests(session, summary.figures);
    if (std::string hint = missingProgramHint(session); !hint.empty()) {
        summary.figures.push_back({"Missing file", std::move(hint)});
    }
    summary.findings = findings::detail::findAll(input);
    summary.dashboard = findings::detail::makeDashboard(input);
    summary.files = std::move(input.files);
    summary.warnings = session.problems;
    const auto add = [&](const std::vector<std::string>& lines) {
        summary.warnings.insert(summary.warnings.end(), lines.begin(), lines.end());
    };
    if (session.blocks != nullptr) {
        add(session.blocks->warnings());
    }
    if (input.delegation) {
        add(input.delegation->warnings);
    }
    add(input.warnings);
    return summary;
}

}  // namespace et::inspector
