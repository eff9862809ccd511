#include "benchmarks/verdicts/compared.h"

#include "runtime/core/child_process.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <utility>

namespace et::bench {
namespace {

namespace fs = std::filesystem;

/// Returns what the command wrote to stdout; empty if it does not start.
std::string outputOf(const fs::path& program, std::vector<std::string> argv) {
    auto pipe = core::Pipe::make();
    if (!pipe) {
        return {};
    }
    const core::Redirection toPipe{.number = STDOUT_FILENO, .from = pipe->write.get()};
    auto child = core::ChildProcess::spawn(
        {.program = program.string(), .argv = std::move(argv), .redirections = {toPipe}});
    pipe->write.close();
    if (!child) {
        return {};
    }
    constexpr std::size_t most = std::size_t{64} << 20U;
    std::string text;
    std::array intakes{core::PipeReader{.from = pipe->read, .into = text, .maxBytes = most}};
    static_cast<void>(core::readAll(intakes, {}));  // on an error, the output read so far is used
    child->end(std::chrono::seconds(1));
    return text;
}

bool isDifference(std::string_view verdict) {
    return verdict == "slower" || verdict == "faster";
}

Compared compared(const simdjson::dom::element& report) {
    const simdjson::dom::element method = report["methods"].at(0);
    const simdjson::dom::element total = method["total"];
    Compared result{.verdict = std::string(std::string_view(total["verdict"])),
                    .ratio = total["ratio"].is_null() ? 1 : double(total["ratio"]),
                    .nanoseconds = double(total["median_a"]),
                    .operators = {}};
    for (const simdjson::dom::element each : method["operators"]) {
        if (isDifference(std::string_view(each["verdict"]))) {
            result.operators.push_back(fmt::format("{} x {:.3f}", std::string_view(each["name"]),
                                                   each["ratio"].is_null() ? 0 : double(each["ratio"])));
        }
    }
    return result;
}

}  // namespace

std::optional<Compared> compare(const fs::path& program, const fs::path& a, const fs::path& b,
                                const std::vector<std::string>& options) {
    std::vector<std::string> argv{"et-inspect", "compare", a.string(),  b.string(),
                                  "--format",   "json",    "--fail-on", "never"};
    argv.insert(argv.end(), options.begin(), options.end());
    const auto start = std::chrono::steady_clock::now();
    const simdjson::padded_string text(outputOf(program, std::move(argv)));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    try {
        simdjson::dom::parser parser;
        Compared result = compared(parser.parse(text));
        result.seconds = took.count();
        return result;
    } catch (const simdjson::simdjson_error& error) {
        fmt::print(stderr, "{}: no report: {}\n", a.string(), error.what());
        return std::nullopt;
    }
}

}  // namespace et::bench
