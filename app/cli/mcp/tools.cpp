#include "app/cli/mcp/tools.h"

#include "app/cli/mcp/tool_plans.h"

#include <algorithm>

namespace et::cli::mcp {
namespace {

constexpr std::int64_t maxFiles = 16;
constexpr std::int64_t maxPath = 4096;

constexpr Argument requiredFiles{.name = "files",
                                 .kind = ArgumentKind::Texts,
                                 .meaning =
                                     "Files of one model in any order: program (.pte, .bpte, .ptn), weights "
                                     "(.ptd), ETRecord, trace (.etdp)",
                                 .required = true,
                                 .most = maxFiles};
constexpr Argument maxBytes{.name = "max_bytes",
                            .kind = ArgumentKind::Integer,
                            .meaning = "Longest answer (default: 4096)",
                            .least = 1024,
                            .most = 65536};
constexpr Argument maxSeconds{.name = "max_seconds",
                              .kind = ArgumentKind::Integer,
                              .meaning = "Time limit of each command (default: 120)",
                              .least = 1,
                              .most = 3600};
constexpr Argument threads{.name = "threads",
                           .kind = ArgumentKind::Integer,
                           .meaning = "Number of threads (default: 1)",
                           .least = 1,
                           .most = 64};
constexpr Argument method{
    .name = "method", .meaning = "Method (default: forward, or the only one)", .most = 200};
constexpr Argument calibrate{
    .name = "calibrate",
    .meaning = "Calibration inputs: bundled program (.bpte) or tensors (.npz, .npy, .pt)",
    .most = maxPath};

constexpr std::string_view groups[] = {"event", "op", "module", "phase"};
constexpr std::string_view ways[] = {"lower", "quantize", "optimize", "replan"};

constexpr Argument openArguments[] = {
    {.name = "files", .kind = ArgumentKind::Texts, .meaning = requiredFiles.meaning, .most = maxFiles},
    {.name = "more", .meaning = "Handle of an earlier answer: its next elements", .most = 300},
    maxBytes};
constexpr Argument filesOnly[] = {requiredFiles, method, maxBytes, maxSeconds};
constexpr Argument overviewArguments[] = {requiredFiles, maxBytes, maxSeconds};
constexpr Argument timeArguments[] = {
    requiredFiles,
    {.name = "by",
     .kind = ArgumentKind::Choice,
     .meaning = "Rows: events (default), operators, modules, or phases of a language model",
     .choices = groups},
    {.name = "filter",
     .meaning = "Only events whose name, operators or modules match this regular expression",
     .most = 200},
    maxBytes,
    maxSeconds};
constexpr Argument sizeArguments[] = {
    requiredFiles,
    {.name = "against", .meaning = "Earlier program, for growth", .most = maxPath},
    maxBytes,
    maxSeconds};
constexpr Argument compareArguments[] = {
    {.name = "before",
     .kind = ArgumentKind::Texts,
     .meaning = "Program or trace, and its ETRecord",
     .required = true,
     .most = 4},
    {.name = "after",
     .kind = ArgumentKind::Texts,
     .meaning = "Program or trace of the same kind, and its ETRecord",
     .required = true,
     .most = 4},
    {.name = "measure",
     .kind = ArgumentKind::Flag,
     .meaning = "Run two programs alternately and compare times and outputs"},
    threads,
    maxBytes,
    maxSeconds};
constexpr Argument delegationArguments[] = {
    requiredFiles,
    {.name = "measure",
     .kind = ArgumentKind::Flag,
     .meaning =
         "Measure operators outside delegates and the time that delegating them saves; needs the ETRecord"},
    maxBytes,
    maxSeconds};
constexpr Argument runArguments[] = {
    requiredFiles,
    {.name = "iterations",
     .kind = ArgumentKind::Integer,
     .meaning = "Number of executions (default: 50)",
     .least = 1,
     .most = 100000},
    {.name = "trace",
     .meaning = "New file (.etdp) for a trace; otherwise the run is measured without a tracer",
     .most = maxPath},
    threads,
    method,
    maxBytes,
    maxSeconds};
constexpr Argument shrinkArguments[] = {
    requiredFiles,
    {.name = "how",
     .kind = ArgumentKind::Choice,
     .meaning = "lower: delegate to XNNPACK. quantize: one scheme. optimize: least error within a budget. "
                "replan: smaller memory plan, duplicate weights removed",
     .required = true,
     .choices = ways},
    {.name = "output", .meaning = "New program (.pte)", .required = true, .most = maxPath},
    {.name = "record_output",
     .meaning = "New ETRecord of that program (lower, quantize, optimize)",
     .most = maxPath},
    calibrate,
    {.name = "scheme",
     .meaning = "quantize: w8a8-static (needs calibrate), w8a8-dynamic, w8, w4a8-dynamic:BLOCK, fp16",
     .most = 100},
    {.name = "keep",
     .kind = ArgumentKind::Texts,
     .meaning = "Nodes, operators or modules to keep in float",
     .most = 100},
    {.name = "budget", .meaning = "optimize: bytes=1M, sqnr=35dB, error=1% or time=3ms", .most = 100},
    maxBytes,
    maxSeconds};
constexpr Argument explainArguments[] = {{.name = "log",
                                          .meaning = "Text of a log, or an error code: 0x12, NotFound",
                                          .most = std::int64_t{1} << 20},
                                         {.name = "files",
                                          .kind = ArgumentKind::Texts,
                                          .meaning = "Log files; the program and ETRecord that failed",
                                          .most = maxFiles},
                                         maxBytes,
                                         maxSeconds};
constexpr Argument queryArguments[] = {
    requiredFiles,
    {.name = "sql",
     .meaning =
         "One or more SELECT statements of SQLite. SELECT name, sql FROM sqlite_schema lists the tables",
     .required = true,
     .most = 65536},
    {.name = "limit",
     .kind = ArgumentKind::Integer,
     .meaning = "Maximum number of rows per statement (default: 1000)",
     .least = 1,
     .most = 100000},
    maxBytes,
    maxSeconds};

constexpr std::string_view infoShapes[] = {"info"};
constexpr std::string_view overviewShapes[] = {"findings", "info"};
constexpr std::string_view eventShapes[] = {"events"};
constexpr std::string_view memoryShapes[] = {"memory"};
constexpr std::string_view sizeShapes[] = {"size"};
constexpr std::string_view correctnessShapes[] = {"verify", "gap"};
constexpr std::string_view compareShapes[] = {"diff", "compare"};
constexpr std::string_view delegationShapes[] = {"delegates", "delegation_gain"};
constexpr std::string_view runShapes[] = {"run", "bench"};
constexpr std::string_view shrinkShapes[] = {"lower", "quantize", "optimize", "replan"};
constexpr std::string_view explainShapes[] = {"explain", "explain_code"};
constexpr std::string_view queryShapes[] = {"sql"};

constexpr Tool allTools[] = {
    {"open", "Open files",
     "Describe files: kinds, methods, inputs, outputs. With \"more\", return the next elements of a "
     "shortened list.",
     openArguments, infoShapes, false, planOpen},
    {"overview", "Overview",
     "Wasted time and memory of a model, largest first, and what the files contain. Start here.",
     overviewArguments, overviewShapes, false, planOverview},
    {"time", "Time",
     "Where a trace spends its time: events with Python lines, or totals of operators, modules or phases. "
     "Without a trace, call run with \"trace\" first.",
     timeArguments, eventShapes, false, planTime},
    {"memory", "Memory", "Memory plan: peak, arenas, and the tensors and weights that take most.", filesOnly,
     memoryShapes, false, planMemory},
    {"size", "Size",
     "Purpose of every byte of a program: duplicates, compressible data, weights by size, growth against an "
     "earlier program.",
     sizeArguments, sizeShapes, false, planSize},
    {"correctness", "Correctness",
     "Run bundled cases, and with an ETRecord find the first operator whose result differs from the exported "
     "graph. Models run in a sandbox.",
     filesOnly, correctnessShapes, false, planCorrectness},
    {"compare", "Compare",
     "Differences of two programs, or whether the second of two traces is slower, and where.",
     compareArguments, compareShapes, false, planCompare},
    {"delegation", "Delegation",
     "Operators inside and outside delegates; with \"measure\", why they are outside, and the time that "
     "delegating them saves.",
     delegationArguments, delegationShapes, false, planDelegation},
    {"run", "Run or measure",
     "Run a program in a sandbox: load and run times, peak memory, outputs; optionally record a trace.",
     runArguments, runShapes, true, planRun},
    {"shrink", "Shrink or quantize",
     "Write a smaller or faster program to a new file. Never replaces a file.", shrinkArguments, shrinkShapes,
     true, planShrink},
    {"explain_log", "Explain a log",
     "Cause and remedy of the first failure in a log of ExecuTorch, or the meaning of an error code.",
     explainArguments, explainShapes, false, planExplain},
    {"query", "SQL", "Read-only SQL over the files: events, operators, tensors, delegates, findings.",
     queryArguments, queryShapes, false, planQuery},
};

}  // namespace

std::span<const Tool> tools() {
    return allTools;
}

const Tool* findTool(std::string_view name) {
    const auto* const found = std::ranges::find(allTools, name, &Tool::name);
    return found == std::end(allTools) ? nullptr : found;
}

}  // namespace et::cli::mcp
