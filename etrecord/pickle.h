#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::etrecord {

/// Position of a value in Pickle::values.
using PickleId = std::uint32_t;

struct PickleBytes {
    core::Bytes content;  ///< in the pickle's own text
};
/// A name that Python would import: "torch", "FloatStorage". Nothing is imported here.
struct PickleGlobal {
    std::string_view module;
    std::string_view name;
};
struct PickleTuple {
    std::vector<PickleId> items;
};
/// A list or a set.
struct PickleList {
    std::vector<PickleId> items;
};
struct PickleDict {
    std::vector<std::pair<PickleId, PickleId>> items;
};
/// Something that the pickle keeps elsewhere; `id` says what, in the words of the archive around it.
struct PicklePersistent {
    PickleId id;
};
/// A call that Python would make to rebuild an object, with what it would put into the object afterwards.
struct PickleCall {
    PickleId callable;
    PickleId arguments;  ///< a tuple
    std::optional<PickleId> state{};
    std::vector<PickleId> items{};                         ///< appended, if it behaves as a list
    std::vector<std::pair<PickleId, PickleId>> members{};  ///< set, if it behaves as a dictionary
};

/// monostate is None. Texts and bytes are views into the pickle.
using PickleValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string_view, PickleBytes, PickleTuple,
                 PickleList, PickleDict, PickleGlobal, PicklePersistent, PickleCall>;

/// A callable that may stand in a pickle.
struct PickleCallable {
    std::string_view module;
    std::string_view name;
};

/// What a pickle may ask of us.
struct PickleLimits {
    std::uint64_t bytes = std::uint64_t{32} << 20;
    std::size_t values = std::size_t{1} << 20;  ///< also the number of remembered ones
    std::size_t marks = 1000;                   ///< open at one time: how deep containers nest
};

/// A pickle (protocols 2 to 5) taken apart as data: nothing is imported, called or executed. Values may share
/// and even contain each other, so what walks them bounds depth and count.
struct Pickle {
    std::vector<PickleValue> values;
    PickleId root = 0;

    /// A call of anything that `callables` does not list is refused by name (Unsupported), as are opcodes of
    /// the text protocols. Borrows `bytes`; `name` stands in errors as the field. Errors: Format, Limit,
    /// Unsupported.
    [[nodiscard]] static core::Result<Pickle> parse(core::Bytes bytes, std::string_view name,
                                                    std::span<const PickleCallable> callables,
                                                    PickleLimits limits = {});

    /// The alternative T of a value; null when it is of another type.
    template <class T>
    [[nodiscard]] const T* get(PickleId id) const {
        return std::get_if<T>(&values[id]);
    }
};

}  // namespace et::etrecord
