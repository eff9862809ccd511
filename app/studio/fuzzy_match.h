#pragma once

#include <QStringView>

#include <optional>

namespace et::studio {

/// How well `wanted` fits `text`: its letters occur in that order, whatever their case; blanks are ignored.
/// Higher is better: letters that follow one another and that begin words count more, and so does a short
/// text. Nothing where a letter is missing. Nothing wanted fits everything alike.
[[nodiscard]] std::optional<int> fuzzyScore(QStringView wanted, QStringView text);

}  // namespace et::studio
