#include "app/output/rewrite/replan_info.h"

#include "runtime/core/result.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace et::output {
namespace {

using inspector::ArenaReplan;
using inspector::MethodReplan;

/// Describes how far the plan is from the smallest possible one.
std::string distance(const ArenaReplan& arena) {
    if (arena.smallest) {
        return "; the smallest possible";
    }
    return arena.lowerBound == 0 || arena.lowerBound >= arena.after
               ? ""
               : fmt::format("; at most {} above the optimum", readableBytes(arena.after - arena.lowerBound));
}

std::string arenaText(const MethodReplan& method, const ArenaReplan& arena) {
    const std::string where = fmt::format("{}, arena {}", core::printable(method.method), arena.arena.value);
    if (!arena.kept.empty()) {
        return fmt::format("{}: {} unchanged: {}\n", where, readableBytes(arena.before),
                           core::printable(arena.kept));
    }
    if (arena.after == arena.before && arena.tensors == 0) {
        return fmt::format("{}: {} unchanged{}\n", where, readableBytes(arena.before),
                           arena.smallest ? ": no plan is smaller" : ": no smaller plan was found");
    }
    const bool smaller = arena.after < arena.before;
    const std::uint64_t change = smaller ? arena.before - arena.after : arena.after - arena.before;
    const std::string share =
        arena.before == 0 || change == 0
            ? ""
            : fmt::format(" ({} {})",
                          readablePercent(static_cast<double>(change) / static_cast<double>(arena.before)),
                          smaller ? "less" : "more");
    const std::string inPlace = arena.inPlace == 0 ? "" : fmt::format(", {} in place", arena.inPlace);
    return fmt::format("{}: {} -> {}{}, {} tensor{} moved{}{}\n", where, readableBytes(arena.before),
                       readableBytes(arena.after), share, arena.tensors, plural(arena.tensors), inPlace,
                       distance(arena));
}

std::string runText(const tasks::ShadowRunResult& run) {
    return run.notRun.empty()
               ? fmt::format(
                     "{}: bit-identical outputs on {} set{} of inputs, with dead memory overwritten\n",
                     core::printable(run.method), run.cases, plural(run.cases))
               : "";
}

Dict arenaInfo(const ArenaReplan& arena) {
    return {{"arena", std::uint64_t{arena.arena.value}},
            {"bytes_before", arena.before},
            {"bytes", arena.after},
            {"lower_bound", arena.lowerBound},
            {"smallest", arena.smallest},
            {"tensors_moved", std::uint64_t{arena.tensors}},
            {"tensors_in_place", std::uint64_t{arena.inPlace}},
            {"kept", arena.kept}};
}

}  // namespace

std::string replanText(const tasks::ReplanResult& result) {
    std::string text;
    for (const MethodReplan& method : result.plans) {
        for (const ArenaReplan& arena : method.arenas) {
            text += arenaText(method, arena);
        }
        if (method.arenas.empty()) {
            text += fmt::format("{}: plans no memory\n", core::printable(method.method));
        }
    }
    for (const tasks::ReplanChange& each : result.changes) {
        // For methods, for example, the bytes are unknown; the program's size is printed below.
        text += fmt::format("{}: {} {}{}\n", each.action, each.change.count, each.what,
                            each.change.bytes == 0 ? "" : ", " + readableBytes(each.change.bytes));
    }
    if (result.duplicates.count > 0) {
        text += fmt::format("dedupe: {} of equal content written once, {}\n", result.duplicates.count,
                            readableBytes(result.duplicates.bytes));
    }
    for (const tasks::ShadowRunResult& run : result.runs) {
        text += runText(run);
    }
    text +=
        fmt::format("program: {} -> {}", readableBytes(result.fileBefore), readableBytes(result.fileAfter));
    text +=
        result.weightsAfter == 0 ? "\n" : fmt::format(", weights: {}\n", readableBytes(result.weightsAfter));
    return text;
}

Dict replanInfo(const tasks::ReplanResult& result) {
    List methods;
    for (const MethodReplan& method : result.plans) {
        methods.emplace_back(Dict{{"method", std::string(method.method)},
                                  {"bytes_before", method.before()},
                                  {"bytes", method.after()},
                                  {"arenas", listOf(method.arenas, arenaInfo)}});
    }
    List changes;
    for (const tasks::ReplanChange& each : result.changes) {
        changes.emplace_back(Dict{{"action", std::string(each.action)},
                                  {"what", std::string(each.what)},
                                  {"count", std::uint64_t{each.change.count}},
                                  {"bytes", each.change.bytes}});
    }
    List runs;
    for (const tasks::ShadowRunResult& run : result.runs) {
        runs.emplace_back(
            Dict{{"method", run.method}, {"input_sets", std::uint64_t{run.cases}}, {"not_run", run.notRun}});
    }
    return {{"methods", std::move(methods)},
            {"changes", std::move(changes)},
            {"duplicates",
             Dict{{"count", std::uint64_t{result.duplicates.count}}, {"bytes", result.duplicates.bytes}}},
            {"checked", std::move(runs)},
            {"program_bytes_before", result.fileBefore},
            {"program_bytes", result.fileAfter},
            {"weights_bytes", result.weightsAfter}};
}

}  // namespace et::output
