#include "app/tasks/trend/import_files.h"

#include "app/tasks/base/interruption.h"
#include "inspector/store/trend_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::store::TrendStore;

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
