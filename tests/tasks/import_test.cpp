#include "app/tasks/trend/bench_json.h"
#include "app/tasks/trend/import_files.h"
#include "app/tasks/trend/runner_lines.h"
#include "inspector/store/session_store.h"
#include "tests/support/generated_trace.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;

constexpr std::string_view bench =
    R"({"schema": 1, "models": [{"file": "dir/net.pte", "method": "forward", "executions": 50, "warmup": 10,
        "threads": 4, "time_ms": {"load": 1.5, "p50": 2.5}}]})";

core::Bytes bytesOf(std::string_view text) {
    return std::as_bytes(std::span(text));
}

class Import : public testing::Test {
  protected:
    void write(const std::string& name, std::string_view content) const {
        std::ofstream(folder.path() / name, std::ios::binary) << content;
    }
    void writeTrace(const std::string& name, std::uint32_t seed) const {
        const auto bytes = test::makeTrace(3, 40, seed);
        write(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    ImportOutcome import(const std::vector<std::string>& names) {
        ImportSettings settings{.store = folder.path() / "t.db", .labels = labels};
        for (const std::string& each : names) {
            settings.files.push_back(folder.path() / each);
        }
        ProgressReporter watch({.mode = ProgressMode::None}, std::nullopt);
        const auto outcome =
            importFiles(settings, watch, [&](const core::Error& error) { errors.push_back(error); });
        EXPECT_TRUE(outcome) << outcome.error().toString();
        return outcome.value_or(ImportOutcome());
    }
    [[nodiscard]] inspector::MeasuredModel load(const std::string& model) const {
        const auto store = inspector::store::TrendStore::open(folder.path() / "t.db",
                                                              {.mode = inspector::store::OpenMode::Reading});
        return store->load(model).value();
    }

    test::ScratchFolder folder;
    TrendLabels labels;
    std::vector<core::Error> errors;
};

TEST_F(Import, ReadsTracesAndBenchmarks) {
    writeTrace("a.etdp", 1);
    write("b.json", bench);
    labels = {.commit = "4f2a91c", .measured = "2026-11-25T00:00:00Z", .tags = {{"device", "pixel8"}}};
    EXPECT_EQ(import({"a.etdp", "b.json"}).imported, 2U);
    const auto trace = load("a");
    ASSERT_EQ(trace.entries.size(), 1U);
    EXPECT_EQ(trace.entries[0].commit, "4f2a91c");
    EXPECT_EQ(trace.entries[0].runs, 3U);
    EXPECT_GT(trace.entries[0].total, 0);
    EXPECT_FALSE(trace.entries[0].operators.empty());
    const auto benched = load("net");
    ASSERT_EQ(benched.entries.size(), 1U);
    EXPECT_EQ(benched.entries[0].total, 2.5e6);
    EXPECT_EQ(benched.entries[0].runs, 50U);
    EXPECT_EQ(benched.entries[0].tags, (inspector::Tags{{"device", "pixel8"}, {"threads", "4"}}));
}

constexpr std::string_view runnerLine =
    R"(PyTorchObserver {"prefill_token_per_sec":1888.89,"decode_token_per_sec":770.492,"prompt_tokens":17,)"
    R"("generated_tokens":47,"model_load_start_ms":1700000000123,"model_load_end_ms":1700000000163,)"
    R"("inference_start_ms":1700000000165,"inference_end_ms":1700000000235,)"
    R"("model_execution_start_ms":1700000000234,"model_execution_end_ms":1700000000235,)"
    R"("prompt_eval_end_ms":1700000000174,"first_token_ms":1700000000174,"aggregate_sampling_time_ms":2,)"
    R"("aggregate_model_execution_time_ms":64,"SCALING_FACTOR_UNITS_PER_SECOND":1000})";

TEST_F(Import, ReadsRunnerLines) {
    const std::string line(runnerLine);
    write("llama.log", "I 00:00:01.5 executorch:stats.h:111]\t" + line + "\x1B[0m\r\nsome text\n" + line);
    EXPECT_EQ(import({"llama.log"}).imported, 1U);
    const auto entries = load("llama").entries;
    ASSERT_EQ(entries.size(), 3U);
    for (const inspector::TrendEntry& each : entries) {
        EXPECT_EQ(each.runs, 2U);
        const double expected = each.method == "load"      ? 40e6
                                : each.method == "prefill" ? 9e6 / 17
                                                           : 61e6 / 47;
        EXPECT_DOUBLE_EQ(each.total, expected) << each.method;
    }
}

TEST_F(Import, ReadsExecutorRunnerOutput) {
    write(
        "phone.log",
        "I 00:00:00.1 executorch:executor_runner.cpp:409] Using method encode\n"
        "I 00:00:00.2 executorch:executor_runner.cpp:520] Model loaded in 20.500000 ms.\n"
        "I 00:00:00.3 executorch:executor_runner.cpp:690] Iteration 1 of 2: 2.000000 ms\n"
        "I 00:00:00.4 executorch:executor_runner.cpp:690] Iteration 2 of 2: 4.000000 ms\n"
        "I 00:00:00.5 executorch:executor_runner.cpp:700] Model executed successfully 2 time(s) in 6.000000 "
        "ms.\n");
    EXPECT_EQ(import({"phone.log"}).imported, 1U);
    const auto entries = load("phone").entries;
    ASSERT_EQ(entries.size(), 2U);
    for (const inspector::TrendEntry& each : entries) {
        EXPECT_EQ(each.runs, each.method == "load" ? 1U : 2U);
        EXPECT_DOUBLE_EQ(each.total, each.method == "load" ? 20.5e6 : 3e6) << each.method;
        EXPECT_TRUE(each.method == "load" || each.method == "encode") << each.method;
    }
}

TEST(RunnerLines, WrongFieldsAreNamed) {
    const auto errorOf = [](std::string_view from, std::string_view to) {
        std::string text(runnerLine);
        text.replace(text.find(from), from.size(), to);
        const auto read = readRunnerLines(bytesOf("\n" + text));
        return read ? fmt::format("{} methods", read->methods.size()) : read.error().toString();
    };
    EXPECT_EQ(errorOf("17", "17"), "3 methods");
    EXPECT_EQ(errorOf(":17,", ":0,"), "2 methods") << "nothing was prefilled";
    EXPECT_EQ(errorOf(":47,", ":0,"), "2 methods") << "nothing was generated";
    EXPECT_EQ(errorOf(":17,", ":-1,"), "line 2: prompt_tokens: expected a non-negative integer");
    EXPECT_EQ(errorOf(":1700000000163", ":1"),
              "line 2: model_load_end_ms: expected a time of at least 1700000000123, the value of "
              "model_load_start_ms");
    EXPECT_EQ(errorOf(":1000}", ":0}"), "line 2: SCALING_FACTOR_UNITS_PER_SECOND: expected a number above 0");
    EXPECT_TRUE(errorOf("1888.89", "1888.").starts_with("line 2: invalid JSON"));
    EXPECT_TRUE(errorOf("{", "{ [").starts_with("line 2: invalid JSON"));
    EXPECT_TRUE(readRunnerLines(bytesOf("no such line"))->methods.empty());
}

TEST_F(Import, ReadsSessions) {
    writeTrace("a.etdp", 1);
    const auto session =
        inspector::Session::open({.trace = folder.path() / "a.etdp", .record = {}, .debugBuffer = {}});
    ASSERT_TRUE(inspector::store::saveSession(folder.path() / "s.db", **session, {}));
    EXPECT_EQ(import({"s.db", "a.etdp"}).imported, 2U);
    const auto entries = load("a").entries;
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].total, entries[1].total);
    EXPECT_EQ(entries[0].operators, entries[1].operators);
}

TEST_F(Import, TheSameContentAgainChangesNothing) {
    writeTrace("a.etdp", 1);
    writeTrace("copy.etdp", 1);
    labels.model = "net";
    EXPECT_EQ(import({"a.etdp"}).imported, 1U);
    const ImportOutcome again = import({"a.etdp", "copy.etdp"});
    EXPECT_EQ(again.imported, 0U);
    EXPECT_EQ(again.known, 2U);
    EXPECT_EQ(load("net").entries.size(), 1U);
}

TEST_F(Import, DeduplicatesCopiesInOneImport) {
    writeTrace("a.etdp", 1);
    writeTrace("b.etdp", 1);
    const ImportOutcome outcome = import({"a.etdp", "b.etdp"});
    EXPECT_EQ(outcome.imported, 1U);
    EXPECT_EQ(outcome.known, 1U);
}

TEST_F(Import, BrokenFilesAreNamedAndLeftOut) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < 300; ++i) {  // more than fit into one transaction
        names.push_back(fmt::format("{}.etdp", i));
        writeTrace(names.back(), i);
    }
    write("17.etdp", "");
    write("280.etdp", "{\"schema\": 7, \"models\": []}");
    write("290.etdp", "something else");
    names.push_back("missing.etdp");
    labels.model = "net";
    const ImportOutcome outcome = import(names);
    EXPECT_EQ(outcome.imported, 297U);
    EXPECT_EQ(outcome.broken, 4U);
    ASSERT_EQ(errors.size(), 4U);
    for (const char* name : {"17.etdp", "280.etdp", "290.etdp", "missing.etdp"}) {
        EXPECT_TRUE(std::ranges::any_of(errors, [&](const core::Error& error) {
            return error.toString().contains(name);
        })) << name;
    }
    EXPECT_EQ(load("net").entries.size(), 297U);
}

TEST_F(Import, DateDefaultsToTheFileDate) {
    writeTrace("a.etdp", 1);
    fs::last_write_time(
        folder.path() / "a.etdp",
        std::chrono::file_clock::from_sys(std::chrono::sys_days(std::chrono::year(2026) / 3 / 1)));
    import({"a.etdp"});
    EXPECT_EQ(load("a").entries.front().measured, "2026-03-01T00:00:00Z");
}

TEST(BenchJson, WrongFieldsAreNamed) {
    const auto errorOf = [](std::string text, std::string_view from, std::string_view to) {
        text.replace(text.find(from), from.size(), to);
        const auto read = readBenchJson(bytesOf(text));
        return read ? std::string("fine") : read.error().toString();
    };
    const std::string sound(bench);
    EXPECT_EQ(errorOf(sound, "2.5", "2.25"), "fine");
    EXPECT_EQ(errorOf(sound, "2.5", "-2.5"), "models[0].time_ms.p50: expected a time in milliseconds");
    EXPECT_EQ(errorOf(sound, "2.5", "null"), "models[0].time_ms.p50: expected a time in milliseconds");
    EXPECT_EQ(errorOf(sound, "50,", "-1,"), "models[0].executions: expected a non-negative integer");
    EXPECT_EQ(errorOf(sound, "\"dir/net.pte\"", "7"), "models[0].file: expected a string of 1 to 4096 bytes");
    EXPECT_EQ(errorOf(sound, "\"schema\": 1", "\"schema\": 2"), "schema: expected 1, got 2");
    EXPECT_TRUE(errorOf(sound, "\"models\"", "\"more\"").contains("et-inspect bench --format json"));
    EXPECT_TRUE(errorOf(sound, "]}", "").starts_with("invalid JSON"));
    EXPECT_EQ(readBenchJson(bytesOf(R"({"schema": 1, "models": []})")).error().where.field, "models");
    EXPECT_FALSE(readBenchJson(bytesOf(R"({"schema": 1, "models": [7]})")));
}

TEST(ImportTags, AreNamesAndValues) {
    const std::vector<std::string> good{"device=pixel8", "os=a=b", "empty="};
    EXPECT_EQ(*readTags(good), (inspector::Tags{{"device", "pixel8"}, {"empty", ""}, {"os", "a=b"}}));
    for (const char* wrong : {"device", "=pixel8", "device=a\nb", "commit=4f2"}) {
        EXPECT_EQ(readTags(std::vector<std::string>{wrong}).error().code, ErrorCode::InvalidArgument)
            << wrong;
    }
    EXPECT_FALSE(readTags(std::vector<std::string>{"a=1", "a=2"}));
}

}  // namespace
}  // namespace et::tasks
