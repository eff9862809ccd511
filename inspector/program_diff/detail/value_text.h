#pragma once

#include "runtime/program/method.h"

#include <string>
#include <vector>

namespace et::inspector::detail {

/// "float32 [2, 3]", with dim order, bounds and device where they are not the usual ones.
[[nodiscard]] std::string typeText(const program::TensorInfo& tensor);
/// As typeText(); of other kinds the format's name of them.
[[nodiscard]] std::string typeText(const program::Method& method, program::ValueId id);

/// The literals of a method as text: "2", "[1, 1]", "None", "\"none\"". A list of ints that the instructions
/// write has "?" at those places. Long lists end in their length and a sum over what is left out.
class ValueTexts {
  public:
    explicit ValueTexts(const program::Method& from)
        : method(from), known(from.values.size()), written(from.values.size()) {}

    /// Of a value that is no tensor.
    [[nodiscard]] const std::string& of(program::ValueId id);
    /// From now on it is no literal any more.
    void markWritten(program::ValueId id) { written[id.value] = true; }

  private:
    [[nodiscard]] std::string make(program::ValueId id) const;

    const program::Method& method;
    std::vector<std::string> known;  ///< by ValueId; empty: not asked for yet
    std::vector<bool> written;
};

}  // namespace et::inspector::detail
