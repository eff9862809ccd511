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

/// A view as a link: "model.db#perspective=time,panel=timeline,event=1:4". Parts are separated by commas and
/// percent-encoded, so no quoting is needed in a shell.
struct ViewLink {
    std::string perspective{};  ///< id; empty: unspecified
    std::string panel{};        ///< likewise
    visualizers::Choice choice{};
    std::optional<std::size_t> gapSet{};  ///< Results::gapSet(); nothing: unspecified, or the worst of all
                                          ///< sets
    QByteArray view{};                    ///< Panel::viewState() of `panel`
    bool operator==(const ViewLink&) const = default;

    /// The text after the '#'.
    [[nodiscard]] QString fragment() const;
    /// Errors: InvalidArgument (an unknown or malformed part, a panel or perspective that does not exist),
    /// Limit (longer than maxLength).
    [[nodiscard]] static core::Result<ViewLink> parse(QStringView fragment);

    static constexpr qsizetype maxLength = 16'384;
};

/// A file with the view requested by a link.
struct LinkedFile {
    std::filesystem::path file;
    std::optional<QString> fragment{};  ///< nothing: not a link
};

/// If a file with '#' in its name exists, the path refers to that file.
[[nodiscard]] LinkedFile splitLink(const std::filesystem::path& path);

}  // namespace et::studio
