#include "app/studio/timeline/timeline_pins.h"

#include "visualizers/notes/note_target.h"
#include "visualizers/notes/noted_events.h"
#include "visualizers/timeline/timeline_text.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <charconv>

namespace et::studio {

namespace {

using inspector::store::Note;
using visualizers::TickRange;
using visualizers::TimelinePin;

constexpr std::string_view rangeStart = "[ticks ";
constexpr std::string_view rangeMiddle = " to ";
constexpr std::string_view rangeEnd = "]";

/// Removes a number from the front of a text; nothing if there is none.
std::optional<std::uint64_t> takeNumber(std::string_view& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

}  // namespace

std::optional<TickRange> rangeIn(std::string_view text) {
    const std::size_t at = text.rfind(rangeStart);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    text.remove_prefix(at + rangeStart.size());
    const auto first = takeNumber(text);
    if (!first || !text.starts_with(rangeMiddle)) {
        return std::nullopt;
    }
    text.remove_prefix(rangeMiddle.size());
    const auto last = takeNumber(text);
    return last && *last >= *first && text.starts_with(rangeEnd) ? std::optional(TickRange{*first, *last})
                                                                 : std::nullopt;
}

Note noteToRange(const visualizers::Timeline& timeline, TickRange range) {
    const std::uint64_t from = range.first - std::min(timeline.origin, range.first);
    const QString words =
        QStringLiteral("Pinned range of %1, at %2")
            .arg(visualizers::timeText(timeline, static_cast<double>(range.last - range.first)),
                 visualizers::timeText(timeline, static_cast<double>(from)));
    return {
        .text =
            QStringLiteral("%1 [ticks %2 to %3]").arg(words).arg(range.first).arg(range.last).toStdString()};
}

std::vector<TimelinePin> collectPins(const std::vector<Note>& notes, const inspector::EventBlocks& blocks,
                                     std::vector<int>* places) {
    std::vector<TimelinePin> pins;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        const Note& note = notes[i];
        TimelinePin pin{.text = visualizers::toQStringLines(note.text)};
        if (visualizers::isAboutSession(note)) {
            pin.range = rangeIn(note.text);
        } else {
            pin.row = visualizers::notedEvent(note, blocks);
        }
        if (pin.row || pin.range) {
            pins.push_back(std::move(pin));
            if (places != nullptr) {
                places->push_back(static_cast<int>(i));
            }
        }
    }
    return pins;
}

}  // namespace et::studio
