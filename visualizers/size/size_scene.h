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

/// The bytes of a session's program by owner, with the events of the operators that read them.
class SizeScene {
  public:
    using Files = std::vector<std::shared_ptr<const program::TensorData>>;

    /// `of` is the map of the session's files and of `data`, which are kept as long as it is.
    SizeScene(SessionPointer session, inspector::SizeMap of, Files data = {});

    [[nodiscard]] const inspector::SizeMap& map() const { return owners; }
    [[nodiscard]] const inspector::SizePiece& piece(std::size_t number) const {
        return owners.pieces[number];
    }
    /// Of the operator that reads a piece first; nothing: the trace has none.
    [[nodiscard]] std::optional<EventRef> eventOf(std::size_t piece) const { return events[piece]; }
    /// What the operator of an event reads first, by piece.
    [[nodiscard]] std::vector<bool> piecesOf(const std::optional<EventRef>& event) const;
    /// What the chosen operators read first, by piece.
    [[nodiscard]] std::vector<bool> piecesOf(const Selection& selection) const;

  private:
    SessionPointer opened;  ///< the map borrows from it, and from these
    Files tensorData;
    inspector::SizeMap owners;
    std::vector<std::optional<EventRef>> events;  ///< by piece
};

/// Chooses the operator that reads a piece; nothing where none is known.
void chooseReader(Selection& selection, const inspector::SizePiece& piece);

}  // namespace et::visualizers
