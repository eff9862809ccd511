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

/// A trace that is a valid file at every moment and grows while it is recorded, for processes that are
/// killed.
///
/// Offsets in a flatbuffer point forward. So the list of runs comes first, with room for more (a hole in the
/// file), and each save appends pieces (live_piece.h) that nothing refers to yet. Then writes of four bytes
/// publish them, in an order in which each state between is valid: the size of the file, then the new lengths
/// of lists or the new place of a run. Where the room for runs is used up, all is written to a new file with
/// more, which takes the name of the old one when it is complete.
///
/// The run written last may be in progress. Its list of events has room as well, and more when that is used
/// up, in another copy of the run.
///
/// Order is kept between processes of one system: a power failure can leave any part of the last seconds.
class LiveTrace {
  public:
    LiveTrace(const RecordedEvents& recorded, std::filesystem::path path)
        : source(&recorded), file(std::move(path)), piece(recorded, head) {}
    LiveTrace(const LiveTrace&) = delete;
    LiveTrace& operator=(const LiveTrace&) = delete;
    ~LiveTrace() = default;

    /// Whether save() would write anything.
    [[nodiscard]] bool wants(const RecordedPart& part) const;

    /// Brings the file up to `part`; the first time, it takes its name. A run in progress is written if it
    /// was there at the last look, too. Errors: Io, Limit (2 GiB), Cancelled (`stop` was set). After an error
    /// the file has a part of that, and this is of no more use.
    [[nodiscard]] core::Result<> save(const RecordedPart& part, const std::atomic<bool>& stop);

    /// Ends a look at `part`, whether or not it was saved.
    void looked(const RecordedPart& part) { seenRuns = part.runs; }

  private:
    /// The run written last.
    struct LastRun {
        std::size_t run = 0;
        std::size_t slot = 0;        ///< in the list of runs
        std::uint32_t lengthAt = 0;  ///< of its list of events
        std::size_t room = 0;        ///< events that the list has room for
        std::size_t endEvent = 0;
        std::size_t allocators = 0;
    };
    /// Four bytes that make something visible.
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
    bool replaces = false;      ///< a file that has all that was saved so far
    std::uint64_t end = 0;      ///< of what is written; a multiple of 8
    std::size_t capacity = 0;   ///< runs that there is room for
    std::size_t published = 0;  ///< runs
    std::vector<std::byte> newSlots;
    std::vector<Word> words;
    std::size_t nextRun = 0;
    std::size_t seenRuns = 0;
    std::optional<LastRun> last;
    std::set<std::string_view> completeNames;
};

}  // namespace et::etdump::detail
