#include "visualizers/size/size_scene.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace et::visualizers {

namespace {

using inspector::SizePiece;

/// Finds the event with the fewest debug handles among those with a given handle of a method.
class EventByHandle {
  public:
    explicit EventByHandle(const inspector::EventBlocks& blocks) {
        for (std::size_t i = 0; i < blocks.blocks().size(); ++i) {
            const inspector::Block& block = blocks.blocks()[i];
            for (std::size_t j = 0; j < block.events.size(); ++j) {
                if (block.events[j].chain >= 0 && !block.events[j].samples.empty()) {
                    add(block.method, {i, j}, block.events[j].handles);
                }
            }
        }
    }

    [[nodiscard]] std::optional<EventRef> find(std::string_view method, core::DebugHandle handle) const {
        for (const std::string_view each : {method, std::string_view()}) {
            if (const auto found = known.find({each, handle}); found != known.end()) {
                return found->second.event;
            }
        }
        return std::nullopt;
    }

  private:
    struct Known {
        EventRef event;
        std::size_t handles = 0;
    };

    void add(std::string_view method, EventRef event, std::span<const core::DebugHandle> handles) {
        for (const core::DebugHandle handle : handles) {
            Known& best = known.try_emplace({method, handle}, Known{event, handles.size()}).first->second;
            if (handles.size() < best.handles) {
                best = {event, handles.size()};
            }
        }
    }

    std::map<std::pair<std::string_view, core::DebugHandle>, Known> known;
};

std::optional<EventRef> readerOf(const SizePiece& piece, const inspector::EventBlocks& blocks,
                                 const EventByHandle& byHandle) {
    for (const core::DebugHandle handle : piece.handles) {
        if (const auto found = byHandle.find(piece.method, handle)) {
            return found;
        }
    }
    return piece.instruction.value < 0
               ? std::nullopt
               : findEvent(&blocks, {.method = piece.method, .instruction = piece.instruction});
}

}  // namespace

SizeScene::SizeScene(SessionPointer session, inspector::SizeMap of, Files data)
    : opened(std::move(session)),
      tensorData(std::move(data)),
      owners(std::move(of)),
      events(owners.pieces.size()) {
    if (opened->blocks == nullptr) {
        return;
    }
    const EventByHandle byHandle(*opened->blocks);
    std::ranges::transform(owners.pieces, events.begin(), [&](const SizePiece& piece) {
        return readerOf(piece, *opened->blocks, byHandle);
    });
}

std::vector<bool> SizeScene::piecesOf(const std::optional<EventRef>& event) const {
    std::vector<bool> out(events.size());
    for (std::size_t i = 0; event && i < events.size(); ++i) {
        out[i] = events[i] == event;
    }
    return out;
}

std::vector<bool> SizeScene::piecesOf(const Selection& selection) const {
    const auto& chosen = selection.currentOperator();
    const auto handles = selection.currentHandles();
    const Choice choice = selection.choice();
    const std::string_view method = selection.currentBlock() != nullptr
                                        ? std::string_view(selection.currentBlock()->method)
                                        : std::string_view(choice.method);
    std::vector<bool> out = piecesOf(selection.current());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const SizePiece& each = owners.pieces[i];
        const bool isRead = chosen && each.method == chosen->method && each.instruction.value >= 0 &&
                            each.instruction == chosen->instruction;
        const bool isInside = (method.empty() || each.method == method) &&
                              std::ranges::any_of(each.handles, [&](core::DebugHandle handle) {
                                  return std::ranges::contains(handles, handle);
                              });
        out[i] = out[i] || isRead || isInside;
    }
    return out;
}

void chooseReader(Selection& selection, const SizePiece& piece) {
    if (!piece.handles.empty()) {
        selection.setHandles(piece.method, piece.handles);
    } else if (piece.instruction.value >= 0) {
        selection.setOperator({.method = piece.method, .instruction = piece.instruction});
    } else {
        selection.setCurrent(std::nullopt);
    }
}

}  // namespace et::visualizers
