#pragma once

#include "runtime/core/result.h"
#include "visualizers/selection.h"

#include <QByteArray>
#include <QString>
#include <QStringView>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace et::studio {

/// What a person looks at, as a link to it says: "model.db#perspective=time,room=timeline,event=1:4". Parts
/// are separated by commas, and percent-encoded, so that no shell needs quotes.
struct ViewLink {
    std::string perspective{};  ///< its id; empty: not said
    std::string room{};         ///< likewise
    visualizers::Choice choice{};
    std::optional<std::size_t> gapSet{};  ///< Results::gapSet(); nothing: not said, or the worst of all
    QByteArray view{};                    ///< Room::viewState() of `room`
    bool operator==(const ViewLink&) const = default;

    /// What follows the '#'.
    [[nodiscard]] QString fragment() const;
    /// Errors: InvalidArgument (a part that is unknown or not what it should be, a room or perspective that
    /// does not exist), Limit (longer than maxLength).
    [[nodiscard]] static core::Result<ViewLink> parse(QStringView fragment);

    static constexpr qsizetype maxLength = 16'384;
};

/// A file, and the view of it that a link asks for.
struct LinkedFile {
    std::filesystem::path file;
    std::optional<QString> fragment{};  ///< nothing: no link
};

/// A name with a '#' that is a file is that file.
[[nodiscard]] LinkedFile splitLink(const std::filesystem::path& path);

}  // namespace et::studio
