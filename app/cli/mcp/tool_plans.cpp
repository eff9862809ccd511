#include "app/cli/mcp/tool_plans.h"

#include "app/cli/mcp/model_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>

namespace et::cli::mcp {
namespace {

using core::ErrorCode;
using core::FileKind;
using core::Result;

/// Words of a command line; empty ones are omitted.
class Words {
  public:
    explicit Words(std::string_view command) : all{std::string(command)} {
        if (command.empty()) {
            all.clear();
        }
    }
    Words& add(std::string word) {
        if (!word.empty()) {
            all.push_back(std::move(word));
        }
        return *this;
    }
    /// "--name=value", unless the value is empty.
    Words& option(std::string_view name, std::string_view value) {
        return add(value.empty() ? std::string() : fmt::format("{}={}", name, value));
    }
    Words& files(std::string_view name, const std::vector<std::string>& paths) {
        for (const std::string& each : paths) {
            option(name, each);
        }
        return *this;
    }
    Words& files(const std::vector<std::string>& paths) {
        all.insert(all.end(), paths.begin(), paths.end());
        return *this;
    }
    std::vector<std::string> json() {
        all.insert(all.begin() + (all.empty() || all.front().starts_with('/') ? 0 : 1), "--format=json");
        return std::move(all);
    }

  private:
    std::vector<std::string> all;
};

Step step(std::string_view shape, Words words, bool hasProgress = false) {
    return {.shape = shape, .call = {.arguments = words.json(), .input = {}, .hasProgress = hasProgress}};
}

std::unexpected<core::Error> wrongFiles(std::string message) {
    return core::fail(ErrorCode::InvalidArgument, std::move(message));
}

Result<ModelFiles> filesOf(const Arguments& arguments, const Roots& roots) {
    auto opened = ModelFiles::open(arguments.list("files"), roots);
    if (opened && opened->all().empty()) {
        return wrongFiles("files: expected at least one file");
    }
    return opened;
}

std::string numberOf(const Arguments& arguments, std::string_view name) {
    return arguments.has(name) ? fmt::format("{}", arguments.integer(name, 0)) : std::string();
}

/// The canonical path of an argument; empty if it is missing.
Result<std::string> existingFile(const Arguments& arguments, std::string_view name, const Roots& roots) {
    if (!arguments.has(name)) {
        return std::string();
    }
    ET_ASSIGN(const auto path, roots.existing(arguments.text(name)));
    return path.string();
}

Result<std::string> newFile(const Arguments& arguments, std::string_view name, const Roots& roots) {
    if (!arguments.has(name)) {
        return std::string();
    }
    ET_ASSIGN(const auto path, roots.creatable(arguments.text(name)));
    return path.string();
}

}  // namespace

Steps planOpen(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles files, filesOf(arguments, roots));
    return std::vector{step("info", Words("info").files(files.all()))};
}

Steps planOverview(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles files, filesOf(arguments, roots));
    std::vector<Step> all;
    if (!files.program().empty() || !files.trace().empty()) {
        all.push_back(step("findings", Words("findings").files(files.all())));
        all.back().isOptional = true;
    }
    all.push_back(step("info", Words("info").files(files.all())));
    return all;
}

Steps planTime(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles files, filesOf(arguments, roots));
    if (files.trace().empty() && files.ofKind(FileKind::Profile).empty()) {
        return wrongFiles("files: time needs a trace (.etdp); record one with run and \"trace\"");
    }
    const std::string by = arguments.text("by");
    const bool isGrouped = !by.empty() && by != "event";
    Words words("events");
    words.add("--target-time-scale=us").option("--filter", arguments.text("filter"));
    if (isGrouped) {
        words.option("--group-by", by).add("--sort=total");
    } else {
        words.add("--sort=self")
            .add(
                "--columns=event_name,count,p50,p90,self,self_share,module,source,instruction_id,delegate_"
                "backend_name");
    }
    for (const FileKind kind : {FileKind::Trace, FileKind::Record, FileKind::Profile}) {
        words.files(files.ofKind(kind));
    }
    return std::vector{step("events", std::move(words))};
}

Steps planMemory(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles files, filesOf(arguments, roots));
    ET_ASSIGN(const std::string program, files.requireProgram("memory"));
    Words words("memory");
    words.option("--etdump", files.trace())
        .option("--method", arguments.text("method"))
        .add(program)
        .add(files.record());
    return std::vector{step("memory", std::move(words))};
}

Steps planSize(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles files, filesOf(arguments, roots));
    const auto data = files.ofKind(FileKind::TensorData);
    if (files.program().empty() && data.empty()) {
        return wrongFiles("files: size needs a program (.pte, .bpte or .ptn) or weights (.ptd)");
    }
    ET_ASSIGN(const std::string against, existingFile(arguments, "against", roots));
    Words words("size");
    words.option("--against", against);
    if (files.program().empty()) {
        words.add(data.front());
    } else {
        words.files("--data", data).add(files.program()).add(files.record());
    }
    return std::vector{step("size", std::move(words))};
}

Steps planCorrectness(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles files, filesOf(arguments, roots));
    ET_ASSIGN(const std::string program, files.requireProgram("correctness"));
    const std::string bundle = files.bundle();
    const auto data = files.ofKind(FileKind::TensorData);
    const std::string method = arguments.text("method");
    std::vector<Step> all;
    if (!bundle.empty()) {
        all.push_back(step("verify",
                           Words("verify")
                               .option("--etrecord", files.record())
                               .option("--method", method)
                               .files("--data", data)
                               .add(bundle),
                           true));
    }
    if (!files.record().empty()) {
        Words words("gap");
        words.add("--bisect")
            .option("--method", method)
            .files("--data", data)
            .add(bundle.empty() ? program : bundle)
            .add(files.record());
        all.push_back(step("gap", std::move(words), true));
        all.back().isOptional = !bundle.empty();
    }
    if (all.empty()) {
        return wrongFiles("files: correctness needs a bundled program (.bpte) or an ETRecord");
    }
    return all;
}

Steps planCompare(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles before, ModelFiles::open(arguments.list("before"), roots));
    ET_ASSIGN(const ModelFiles after, ModelFiles::open(arguments.list("after"), roots));
    std::vector<Step> all;
    const bool arePrograms = !before.program().empty() && !after.program().empty();
    const bool areTraces = !before.trace().empty() && !after.trace().empty();
    const auto records = [&](Words words) {
        words.option("--etrecord-before", before.record()).option("--etrecord-after", after.record());
        return words;
    };
    if (areTraces) {
        all.push_back(
            step("compare", records(Words("compare")).add(before.trace()).add(after.trace()), true));
    }
    if (arePrograms) {
        all.push_back(step("diff", Words("diff").add(before.program()).add(after.program())));
        if (arguments.flag("measure")) {
            Words words = records(Words("compare"));
            words.option("--threads", numberOf(arguments, "threads"))
                .add(before.program())
                .add(after.program());
            all.push_back(step("compare", std::move(words), true));
            all.back().isRepeatable = false;
        }
    }
    if (all.empty()) {
        return wrongFiles("before, after: expected two programs or two traces");
    }
    return all;
}

Steps planDelegation(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles files, filesOf(arguments, roots));
    ET_ASSIGN(const std::string program, files.requireProgram("delegation"));
    Words words("delegates");
    words.files("--data", files.ofKind(FileKind::TensorData))
        .option("--etdump", files.trace())
        .add(program)
        .add(files.record());
    std::vector<Step> all{step("delegates", std::move(words))};
    if (arguments.flag("measure")) {
        ET_ASSIGN(const std::string record, files.requireRecord("delegation with \"measure\""));
        Words measure("delegates");
        measure.add("--measure").add("--time=20s").option("--etrecord", record).add(program);
        all.push_back(step("delegation_gain", std::move(measure), true));
        all.back().isRepeatable = false;
    }
    return all;
}

Steps planRun(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles files, filesOf(arguments, roots));
    ET_ASSIGN(const std::string program, files.requireProgram("run"));
    ET_ASSIGN(const std::string trace, newFile(arguments, "trace", roots));
    const bool isTraced = !trace.empty();
    Words words(isTraced ? "run" : "bench");
    words.option("--iterations", arguments.has("iterations") ? numberOf(arguments, "iterations") : "50")
        .option("--threads", numberOf(arguments, "threads"))
        .option("--method", arguments.text("method"))
        .files("--data", files.ofKind(FileKind::TensorData));
    if (isTraced) {
        words.add("--warmup=5").option("--etdump", trace);
    }
    words.add(program);
    std::vector<Step> all{step(isTraced ? "run" : "bench", std::move(words), true)};
    all.back().isRepeatable = false;
    return all;
}

Steps planShrink(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles files, filesOf(arguments, roots));
    ET_ASSIGN(const std::string output, newFile(arguments, "output", roots));
    ET_ASSIGN(const std::string record, newFile(arguments, "record_output", roots));
    ET_ASSIGN(const std::string calibrate, existingFile(arguments, "calibrate", roots));
    if (record == output) {
        return wrongFiles("record_output: expected another file than output");
    }
    const std::string how = arguments.text("how");
    const std::string keep = fmt::format("{}", fmt::join(arguments.list("keep"), ","));
    Words words(how);
    words.option("--output", output);
    if (how == "replan") {
        ET_ASSIGN(const std::string program, files.requireProgram(how));
        words.add(program);
    } else if (how == "lower") {
        words.option("--etrecord-out", record).option("--except", keep);
        const std::string program = files.program();
        words.add(files.record().empty() ? program : files.record());
    } else {
        ET_ASSIGN(const std::string source, files.requireRecord(how));
        words.option("--etrecord-out", record).option("--calibrate", calibrate).option("--keep", keep);
        if (how == "quantize") {
            words.option("--scheme", arguments.text("scheme"));
        } else {
            words.add("--time=60s").option("--budget", arguments.text("budget"));
        }
        words.add(source);
    }
    // quantize reports no progress.
    std::vector<Step> all{step(resultShape(how).name, std::move(words), how != "quantize")};
    all.back().isRepeatable = false;
    return all;
}

Steps planExplain(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles files, ModelFiles::open(arguments.list("files"), roots));
    const std::string log = arguments.text("log");
    if (log.empty() && files.all().empty()) {
        return wrongFiles("log: expected the text of a log, an error code, or files");
    }
    constexpr std::size_t longestCode = 40;
    const bool isCode = files.all().empty() && !log.empty() && log.size() <= longestCode &&
                        log.find_first_of(" \t\n:-/.") == std::string::npos;
    Words words("explain");
    words.files(files.all()).add(isCode ? log : log.empty() ? "" : "-");
    std::vector<Step> all{step(isCode ? "explain_code" : "explain", std::move(words))};
    all.back().call.input = isCode ? "" : log;
    return all;
}

Steps planQuery(const Arguments& arguments, const Roots& roots) {
    ET_ASSIGN(const ModelFiles files, filesOf(arguments, roots));
    Words words("sql");
    words.option("--limit", arguments.has("limit") ? numberOf(arguments, "limit") : "1000")
        .add("--")
        .files(files.all())
        .add(arguments.text("sql"));
    return std::vector{step("sql", std::move(words), true)};
}

}  // namespace et::cli::mcp
