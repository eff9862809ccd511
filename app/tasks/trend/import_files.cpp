#include "app/tasks/trend/import_files.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/compare/sides.h"
#include "app/tasks/trend/bench_json.h"
#include "app/tasks/trend/runner_lines.h"
#include "inspector/format/checksum.h"
#include "inspector/session/artifact.h"
#include "inspector/store/session_store.h"
#include "inspector/store/trend_store.h"
#include "inspector/trend/moment.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::FileKind;
using core::Result;
using inspector::Measurement;
using inspector::store::ModelMeasurement;
using inspector::store::SessionStore;
using inspector::store::TrendStore;

enum class MeasuredKind : std::uint8_t { Trace, Bench, Session, Runner };
struct MeasuredKindTraits {
    MeasuredKind kind;
    std::string_view name;  ///< stable: used in stores
};
constexpr MeasuredKindTraits measuredKinds[] = {
    {MeasuredKind::Trace, "trace"},
    {MeasuredKind::Bench, "bench"},
    {MeasuredKind::Session, "session"},
    {MeasuredKind::Runner, "runner"},
};

std::string stemOf(std::string_view path) {
    return fs::path(path).stem().string();
}

Result<MeasuredKind> kindOf(const inspector::RecognizedFile& file) {
    const core::Bytes bytes = file.file->bytes();
    if (file.kind == FileKind::Database) {
        return MeasuredKind::Session;
    }
    if (file.kind == FileKind::Profile) {
        return MeasuredKind::Trace;
    }
    const auto letter = std::ranges::find_if(
        bytes, [](std::byte each) { return !std::string_view(" \t\r\n").contains(static_cast<char>(each)); });
    if (letter != bytes.end() && *letter == std::byte{'{'}) {
        return MeasuredKind::Bench;
    }
    if (file.kind == FileKind::Trace) {
        return MeasuredKind::Trace;
    }
    if (file.kind == FileKind::Unknown && hasRunnerLines(bytes)) {
        return MeasuredKind::Runner;
    }
    return fail(
        ErrorCode::Format,
        fmt::format(
            "expected a trace, a session, the JSON of 'et-inspect bench' or lines of a runner, got {}",
            bytes.empty()                    ? "an empty file"
            : file.kind == FileKind::Unknown ? "something else"
                                             : core::fileKindName(file.kind)),
        {.file = file.path.string(), .field = {}, .offset = {}});
}

/// Time of the file's last modification in UTC.
Result<std::string> writtenAt(const fs::path& path) {
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(path, error);
    if (error) {
        return fail(ErrorCode::Io, error.message(), {.file = path.string(), .field = {}, .offset = {}});
    }
    return inspector::utcText(
        std::chrono::floor<std::chrono::seconds>(std::chrono::file_clock::to_sys(time)));
}

Result<std::vector<ModelMeasurement>> readTrace(const std::string& path, const TrendLabels& labels) {
    ET_ASSIGN(Measurement measurement,
              openTrace({.kind = SideKind::Trace, .name = path, .record = {}}, labels.clock, {}));
    return std::vector{ModelMeasurement{.model = stemOf(path), .measurement = std::move(measurement)}};
}

Result<std::vector<ModelMeasurement>> readSession(const std::string& path) {
    ET_ASSIGN(const SessionStore store, SessionStore::open(path));
    ET_ASSIGN(const auto session, store.session(store.joinOptions()));
    if (session->blocks == nullptr) {
        return fail(ErrorCode::Format, "the session has no trace", {.file = path, .field = {}, .offset = {}});
    }
    std::string model = stemOf(path);
    for (const std::string_view kind : {"trace", "bundle", "program"}) {  // in ascending order of preference
        for (const auto& file : store.files()) {
            model = file.kind == kind && file.trace.value_or(0) == 0 ? stemOf(file.name) : model;
        }
    }
    return std::vector{
        ModelMeasurement{.model = std::move(model), .measurement = makeMeasurement(*session->blocks, path)}};
}

Result<std::vector<ModelMeasurement>> readBench(core::Bytes bytes, const std::string& path) {
    auto measured = readBenchJson(bytes);
    if (!measured) {
        return std::unexpected(std::move(measured).error().in(path));
    }
    std::vector<ModelMeasurement> models;
    for (Measurement& each : *measured) {
        std::string model = stemOf(each.name);
        models.push_back({.model = std::move(model), .measurement = std::move(each)});
    }
    return models;
}

Result<std::vector<ModelMeasurement>> readRunner(core::Bytes bytes, const std::string& path) {
    auto measured = readRunnerLines(bytes);
    if (!measured) {
        return std::unexpected(std::move(measured).error().in(path));
    }
    measured->name = path;
    return std::vector{ModelMeasurement{.model = stemOf(path), .measurement = *std::move(measured)}};
}

/// Errors: Format (contains no executions).
Result<> checkContent(const std::vector<ModelMeasurement>& models, const std::string& path) {
    for (const ModelMeasurement& each : models) {
        const auto& methods = each.measurement.methods;
        const bool ran =
            std::ranges::any_of(methods, [](const auto& method) { return !method.total.empty(); });
        if (!ran) {
            return fail(ErrorCode::Format, "the trace contains no execution of a method",
                        {.file = path, .field = {}, .offset = {}});
        }
    }
    return {};
}

/// Adds the number of threads from a bench file; it is the same for all of its models.
void addThreads(MeasuredFile& read) {
    const auto& settings = read.models.front().measurement.settings;
    if (settings && settings->threads > 0) {
        read.file.tags.try_emplace("threads", std::to_string(settings->threads));
    }
}

/// Files per transaction: few enough to lose little on an interruption, enough that waiting for the disk does
/// not matter.
constexpr std::size_t filesAtOnce = 256;

using Batch = std::vector<Result<MeasuredFile>>;

/// Reads files on all processors.
Batch readBatch(std::span<const fs::path> files, const TrendLabels& labels,
                const std::unordered_set<std::string>& known) {
    Batch batch(files.size(), fail(ErrorCode::Cancelled, "not read"));
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < files.size() && !InterruptionGuard::requested(); i = next++) {
            batch[i] = readMeasuredFile(files[i], labels, known);
        }
    };
    const std::size_t workers =
        std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), files.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < workers; ++i) {
        threads.emplace_back(work);
    }
    work();
    return batch;
}

/// Returns the number of newly added files.
Result<std::size_t> addBatch(TrendStore& store, const Batch& batch) {
    ET_ASSIGN(auto transaction, store.begin());
    std::size_t added = 0;
    for (const Result<MeasuredFile>& file : batch) {
        if (file && !file->isKnown) {
            ET_ASSIGN(const bool isNew, store.add(file->file, file->models));
            added += isNew ? 1 : 0;
        }
    }
    ET_TRY(transaction.commit());
    return added;
}

/// Concurrent jobs may add the same names or files to a server, in which case one of them has to retry.
Result<std::size_t> addBatchWhateverOthersDo(TrendStore& store, const Batch& batch) {
    constexpr int maxAttempts = 20;
    for (int attempt = 1;; ++attempt) {
        Result<std::size_t> added = addBatch(store, batch);
        if (added || attempt == maxAttempts || !store.metConflict()) {
            return added;
        }
    }
}

bool isOnOneLine(std::string_view text) {
    return std::ranges::none_of(text, [](char letter) {
        constexpr unsigned char firstPrinting = 0x20;
        constexpr unsigned char erase = 0x7F;
        const auto code = static_cast<unsigned char>(letter);
        return code < firstPrinting || code == erase;
    });
}

}  // namespace

Result<MeasuredFile> readMeasuredFile(const fs::path& path, const TrendLabels& labels,
                                      const std::unordered_set<std::string>& known) {
    ET_ASSIGN(const auto recognized, inspector::RecognizedFile::open(path));
    const auto& file = recognized.file;
    MeasuredFile read{.file = {.sha256 = inspector::format::sha256(file->bytes()),
                               .origin = path.string(),
                               .measured = labels.measured,
                               .commit = labels.commit,
                               .tags = labels.tags}};
    if (known.contains(read.file.sha256)) {
        read.isKnown = true;
        return read;
    }
    ET_ASSIGN(const MeasuredKind kind, kindOf(recognized));
    read.file.kind = measuredKinds[static_cast<std::size_t>(kind)].name;
    if (read.file.measured.empty()) {
        ET_ASSIGN(read.file.measured, writtenAt(path));
    }
    ET_ASSIGN(read.models, kind == MeasuredKind::Trace     ? readTrace(path.string(), labels)
                           : kind == MeasuredKind::Session ? readSession(path.string())
                           : kind == MeasuredKind::Runner  ? readRunner(file->bytes(), path.string())
                                                           : readBench(file->bytes(), path.string()));
    ET_TRY(checkContent(read.models, path.string()));
    for (ModelMeasurement& each : read.models) {
        each.model = labels.model.empty() ? std::move(each.model) : labels.model;
    }
    addThreads(read);
    return read;
}

Result<inspector::Tags> readTags(std::span<const std::string> texts) {
    constexpr std::size_t longest = 200;
    inspector::Tags tags;
    for (const std::string& text : texts) {
        const std::size_t sign = text.find('=');
        if (sign == std::string::npos || sign == 0 || text.size() > longest || !isOnOneLine(text)) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("--tag: expected NAME=VALUE of at most {} bytes, got '{}'", longest,
                                    core::printable(text)));
        }
        const std::string key = text.substr(0, sign);
        if (key == inspector::commitKey) {
            return fail(ErrorCode::InvalidArgument, "--tag: set the commit with --commit");
        }
        if (!tags.emplace(key, text.substr(sign + 1)).second) {
            return fail(ErrorCode::InvalidArgument, fmt::format("--tag: '{}' is given twice", key));
        }
    }
    return tags;
}

Result<ImportOutcome> importFiles(const ImportSettings& settings, ProgressReporter& watch,
                                  const std::function<void(const core::Error&)>& complain) {
    ET_ASSIGN(TrendStore store, TrendStore::open(settings.store));
    ET_ASSIGN(const auto known, store.contents());
    const std::span files(settings.files);
    const auto read = [&](std::size_t from) {
        const auto batch = files.subspan(from, std::min(filesAtOnce, files.size() - from));
        // Reads the next batch while this one is written.
        return std::async(std::launch::async, readBatch, batch, std::cref(settings.labels), std::cref(known));
    };
    watch.begin("import", files.size());
    ImportOutcome outcome;
    std::future<Batch> next = read(0);
    for (std::size_t from = 0; from < files.size(); from += filesAtOnce) {
        const Batch batch = next.get();
        if (InterruptionGuard::requested()) {
            return fail(ErrorCode::Cancelled, "stopped before everything was imported");
        }
        if (from + filesAtOnce < files.size()) {
            next = read(from + filesAtOnce);
        }
        std::size_t broken = 0;
        ET_ASSIGN(const std::size_t added, addBatchWhateverOthersDo(store, batch));
        for (const Result<MeasuredFile>& file : batch) {
            watch.step();
            if (!file) {
                complain(file.error());
                ++broken;
            }
        }
        outcome.broken += broken;
        outcome.imported += added;
        outcome.known += batch.size() - broken - added;
    }
    return outcome;
}

}  // namespace et::tasks
