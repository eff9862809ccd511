#include "app/output/fit/fit_info.h"

#include "app/output/groups.h"
#include "app/output/memory/cache_info.h"
#include "inspector/memory/host_cache_text.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::FitProblem;
using inspector::MethodFit;
using inspector::MethodNeeds;
using inspector::PoolNeeds;

/// Returns null if it was not measured.
const core::Result<tasks::MeasuredNeed>* measuredOf(const tasks::ProgramFit& program, std::size_t method) {
    return method < program.measured.size() ? &program.measured[method] : nullptr;
}

std::string instructionsText(const FitProblem& problem) {
    if (problem.instructions.empty()) {
        return {};
    }
    constexpr std::size_t named = 4;
    std::vector<std::int32_t> numbers;
    for (std::size_t i = 0; i < std::min(named, problem.instructions.size()); ++i) {
        numbers.push_back(problem.instructions[i].value);
    }
    return fmt::format(
        " (instruction{} {}{})", problem.instructions.size() == 1 ? "" : "s", fmt::join(numbers, ", "),
        problem.instructions.size() > named ? fmt::format(", … {} in total", problem.instructions.size())
                                            : "");
}

std::string exact(std::uint64_t bytes) {
    constexpr std::uint64_t plain = 1024;
    return bytes < plain ? fmt::format("{} B", bytes)
                         : fmt::format("{} ({} bytes)", readableBytes(bytes), bytes);
}

void addNeeds(std::string& out, const MethodNeeds& needs) {
    const PoolNeeds& pools = needs.pools;
    out += fmt::format("  needs: {} operator{}", needs.operators, needs.operators == 1 ? "" : "s");
    for (const std::string& backend : needs.backends) {
        out += ", " + core::printable(backend);
    }
    for (const inspector::Feature feature : needs.features) {
        out += fmt::format(", {}", traits(feature).name);
    }
    out += "\n";
    for (std::size_t i = 0; i < pools.arenas.size(); ++i) {
        out += fmt::format("  planned pool {}: {}", i + 1, exact(pools.arenas[i].planned));
        out += pools.arenas[i].smallest == pools.arenas[i].planned
                   ? "\n"
                   : fmt::format(", at least {}\n", exact(pools.arenas[i].smallest));
    }
    out += fmt::format("  inputs and outputs, in addition: {}\n", exact(pools.inputsOutputs));
    if (const std::string caches = inspector::hostCacheText(needs.caches); !caches.empty()) {
        out += fmt::format("  {}\n", caches);
    }
    out += fmt::format("  method pool, estimated: {} with 64-bit pointers, {} with 32-bit ones\n",
                       readableBytes(pools.load64.method), readableBytes(pools.load32.method));
}

void addMeasured(std::string& out, const core::Result<tasks::MeasuredNeed>* measured) {
    if (measured == nullptr) {
        return;
    }
    if (!*measured) {
        out += fmt::format("  not measured: {}\n", (*measured).error().toString());
        return;
    }
    const executor::MemoryReport& memory = (*measured)->memory;
    out += fmt::format(
        "  measured here, with et-inspect's kernels and one thread: temporary {}, stack {}, packed weights "
        "{}, workspace {}\n",
        exact(memory.temporaryPeak), exact((*measured)->stack), exact(memory.packedWeights),
        exact(memory.workspace));
}

/// All lines of a method after its name.
std::string fitLines(const MethodFit& fit, const core::Result<tasks::MeasuredNeed>* measured) {
    std::string out = fit.fits() ? "fits\n" : "does not fit\n";
    for (const FitProblem& problem : fit.problems) {
        out += fmt::format("  {:<9}  {}: {}{}\n             fix: {}\n", name(problem.part),
                           core::printable(problem.subject), problem.what, instructionsText(problem),
                           problem.remedy);
    }
    addNeeds(out, fit.needs);
    addMeasured(out, measured);
    for (const std::string& note : fit.notes) {
        out += fmt::format("  note: {}\n", note);
    }
    return out;
}

/// Methods with equal lines share them: a language model has many that return one number.
std::string methodsText(const tasks::ProgramFit& program) {
    Groups<std::string, std::string> alike;  // names by lines
    for (std::size_t i = 0; i < program.methods.size(); ++i) {
        alike.add(fitLines(program.methods[i], measuredOf(program, i)),
                  core::printable(program.methods[i].method));
    }
    std::string out;
    for (const auto& [lines, names] : alike.inOrder()) {
        out += fmt::format("{}: {}: {}", core::printable(program.file), fmt::join(names, ", "), lines);
    }
    return out;
}

Dict loadInfo(const inspector::LoadNeed& load) {
    return {{"method_bytes", load.method}, {"temporary_bytes", load.temporary}};
}

Dict needsInfo(const MethodNeeds& needs) {
    Dict info{{"operators", static_cast<std::int64_t>(needs.operators)},
              {"backends", listOf(needs.backends)},
              {"features",
               listOf(needs.features,
                      [](const inspector::Feature feature) { return std::string(traits(feature).name); })},
              {"external_tensors", static_cast<std::int64_t>(needs.externalTensors)},
              {"planned", listOf(needs.pools.arenas,
                                 [](const inspector::ArenaNeed& arena) {
                                     return Dict{{"planned_bytes", arena.planned},
                                                 {"smallest_bytes", arena.smallest}};
                                 })},
              {"input_output_bytes", needs.pools.inputsOutputs},
              {"unplanned_bytes", needs.pools.unplanned},
              {"unbounded_tensors", static_cast<std::int64_t>(needs.pools.unbounded)},
              {"constant_bytes", needs.pools.constants},
              {"delegate_temporary_bytes", needs.pools.delegateScratch},
              {"load_64_bit", loadInfo(needs.pools.load64)},
              {"load_32_bit", loadInfo(needs.pools.load32)},
              {"alignment", Dict{{"constants", optionalCell(needs.alignments.constants)},
                                 {"payloads", optionalCell(needs.alignments.payloads)},
                                 {"planned", optionalCell(needs.alignments.planned)}}}};
    addHostCaches(info, needs.caches);
    return info;
}

Dict problemInfo(const FitProblem& problem) {
    std::vector<std::int64_t> instructions;
    std::ranges::transform(problem.instructions, std::back_inserter(instructions),
                           [](core::InstructionId id) { return std::int64_t{id.value}; });
    return {{"part", std::string(name(problem.part))},
            {"subject", problem.subject},
            {"what", problem.what},
            {"remedy", problem.remedy},
            {"instructions", std::move(instructions)}};
}

Cell measuredInfo(const core::Result<tasks::MeasuredNeed>* measured) {
    if (measured == nullptr) {
        return {};
    }
    if (!*measured) {
        return Dict{{"error", (*measured).error().toString()}};
    }
    const executor::MemoryReport& memory = (*measured)->memory;
    return Dict{{"temporary_bytes", memory.temporaryPeak},
                {"stack_bytes", (*measured)->stack},
                {"packed_weight_bytes", memory.packedWeights},
                {"workspace_bytes", memory.workspace}};
}

Dict methodFitInfo(const MethodFit& fit, const core::Result<tasks::MeasuredNeed>* measured) {
    return {{"method", fit.method},
            {"fits", fit.fits()},
            {"problems", listOf(fit.problems, problemInfo)},
            {"needs", needsInfo(fit.needs)},
            {"measured", measuredInfo(measured)},
            {"notes", listOf(fit.notes)}};
}

}  // namespace

std::string fitText(const tasks::FitResult& fit) {
    std::string out = fmt::format("runtime: {}\n", core::printable(fit.runtime));
    if (!fit.target.empty()) {
        out += fmt::format("target: {}\n", core::printable(fit.target));
    }
    for (const tasks::ProgramFit& program : fit.programs) {
        out += methodsText(program);
        out += fmt::format(
            "  flash: {}, including {} of data that a device without memory-mapped files copies\n",
            exact(program.flash.file), exact(program.flash.data));
    }
    return out;
}

Dict fitInfo(const tasks::FitResult& fit) {
    List programs;
    for (const tasks::ProgramFit& program : fit.programs) {
        List methods;
        for (std::size_t i = 0; i < program.methods.size(); ++i) {
            methods.emplace_back(methodFitInfo(program.methods[i], measuredOf(program, i)));
        }
        programs.emplace_back(Dict{{"file", program.file},
                                   {"fits", program.fits()},
                                   {"flash_bytes", program.flash.file},
                                   {"data_bytes", program.flash.data},
                                   {"methods", std::move(methods)}});
    }
    return {{"runtime", fit.runtime},
            {"target", fit.target.empty() ? Cell() : Cell(fit.target)},
            {"fits", fit.fits()},
            {"programs", std::move(programs)}};
}

}  // namespace et::output
