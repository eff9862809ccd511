#pragma once

#include "etdump/detail/live_piece.h"
#include "runtime/core/file_replacement.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace et::etdump::detail {

/// A trace file that grows during recording and is valid at every moment, so that a killed process leaves a
/// readable trace.
///
/// Offsets in a flatbuffer point forward, so the list of runs comes first, with spare capacity (a hole in the
/// file), and each save appends pieces (live_piece.h) that nothing references yet. Four-byte writes then
/// publish them, in an order in which each intermediate state is valid: the size of the file, then the new
/// lengths of lists or the new position of a run. When the capacity for runs is used up, everything is
/// written to a new file with more, which replaces the old one when it is complete.
///
/// The run written last may be in progress. Its list of events has spare capacity too; when that is used up,
/// the run is copied with more.
///
/// The order holds between processes of one system: a power failure can lose any part of the last seconds.
class LiveTrace {
  public:
    LiveTrace(const RecordedEvents& recorded, std::filesystem::path path)
        : source(&recorded), file(std::move(path)), piece(recorded, head) {}
    LiveTrace(const LiveTrace&) = delete;
    LiveTrace& operator=(const LiveTrace&) = delete;
    ~LiveTrace() = default;

    /// Whether save() would write anything.
    [[nodiscard]] bool wants(const RecordedPart& part) const;

    /// Updates the file to `part`; the first call creates it. A run in progress is written if it already
    /// existed at the previous look. Errors: Io, Limit (2 GiB), Cancelled (`stop` was set). After an error
    /// the file contains a part of that, and this object must not be used again.
    [[nodiscard]] core::Result<> save(const RecordedPart& part, const std::atomic<bool>& stop);

    /// Marks `part` as seen, whether or not it was saved.
    void looked(const RecordedPart& part) { seenRuns = part.runs; }

  private:
    /// The run written last.
    struct LastRun {
        std::size_t run = 0;
        std::size_t slot = 0;        ///< in the list of runs
        std::uint32_t lengthAt = 0;  ///< position of the length of its list of events
        std::size_t room = 0;        ///< capacity of its list of events
        std::size_t endEvent = 0;
        std::size_t allocators = 0;
    };
    /// Four bytes whose write publishes data.
    struct Word {
        std::uint64_t at;
        std::uint32_t value;
    };

    [[nodiscard]] LiveRunPart partOf(std::size_t run, const RecordedPart& part) const;
    [[nodiscard]] bool isComplete(std::size_t run, const RecordedPart& part) const;
    [[nodiscard]] std::size_t endOfRuns(const RecordedPart& part) const;
    [[nodiscard]] bool hasGrown(const LastRun& run, const RecordedPart& part) const;
    [[nodiscard]] bool isWanted(std::size_t run, const RecordedPart& part);

    [[nodiscard]] core::Result<> begin(const RecordedPart& part);
    [[nodiscard]] core::Result<> growLast(const RecordedPart& part, const std::atomic<bool>& stop);
    [[nodiscard]] core::Result<> addRuns(const RecordedPart& part, const std::atomic<bool>& stop);
    [[nodiscard]] core::Result<> addBatch(std::vector<LiveRunPart>& batch, const std::atomic<bool>& stop);
    [[nodiscard]] core::Result<> addOpenRun(const LiveRunPart& run, std::size_t slot, bool mayGrow,
                                            const std::atomic<bool>& stop);
    [[nodiscard]] core::Result<> addEvents(LiveRunPart events, bool visibly, const std::atomic<bool>& stop);
    [[nodiscard]] core::Result<> publish();
    [[nodiscard]] core::Result<> publishPart();

    [[nodiscard]] std::uint64_t slotAt(std::size_t slot) const;
    [[nodiscard]] core::Result<> appendPiece(const std::atomic<bool>& stop);
    [[nodiscard]] core::Result<> writeAt(std::uint64_t position, core::Bytes bytes) const;
    [[nodiscard]] core::Result<> writeWord(const Word& word) const;

    const RecordedEvents* source;
    std::filesystem::path file;
    LiveHead head;
    LivePiece piece;

    std::optional<core::FileReplacement> opened;
    bool replaces = false;      ///< replaces a file that has everything saved so far
    std::uint64_t end = 0;      ///< end of the written bytes; a multiple of 8
    std::size_t capacity = 0;   ///< capacity of the list of runs
    std::size_t published = 0;  ///< runs
    std::vector<std::byte> newSlots;
    std::vector<Word> words;
    std::size_t nextRun = 0;
    std::size_t seenRuns = 0;
    std::optional<LastRun> last;
    std::set<std::string_view> completeNames;
};

}  // namespace et::etdump::detail
