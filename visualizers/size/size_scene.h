#pragma once

#include "inspector/size/duplicates.h"
#include "inspector/size/size_map.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// The bytes of a session's program by owner, with the events of their readers.
class SizeScene {
  public:
    using Files = std::vector<std::shared_ptr<const program::TensorData>>;

    /// `of` is the map of the session's files and of `data`, which this object keeps alive.
    SizeScene(SessionPointer session, inspector::SizeMap of, Files data = {});

    [[nodiscard]] const inspector::SizeMap& map() const { return owners; }
    [[nodiscard]] const inspector::SizePiece& piece(std::size_t number) const {
        return owners.pieces[number];
    }
    /// Event of the first operator that reads a piece; nothing if the trace has none.
    [[nodiscard]] std::optional<EventRef> eventOf(std::size_t piece) const { return events[piece]; }
    /// By piece: whether the event's operator is its first reader.
    [[nodiscard]] std::vector<bool> piecesOf(const std::optional<EventRef>& event) const;
    /// By piece: whether a selected operator is its first reader.
    [[nodiscard]] std::vector<bool> piecesOf(const Selection& selection) const;

  private:
    SessionPointer opened;  ///< the map borrows from it and from the members below
    Files tensorData;
    inspector::SizeMap owners;
    std::vector<std::optional<EventRef>> events;  ///< by piece
};

/// Selects the operator that reads a piece; does nothing if none is known.
void chooseReader(Selection& selection, const inspector::SizePiece& piece);

}  // namespace et::visualizers
