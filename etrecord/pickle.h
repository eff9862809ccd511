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
    core::Bytes content;  ///< view into the pickle
};
/// An importable Python name: "torch", "FloatStorage". Nothing is imported here.
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
/// An object stored outside the pickle; `id` identifies it in the format of the enclosing archive.
struct PicklePersistent {
    PickleId id;
};
/// A call that Python would make to rebuild an object, with the content that it would add afterwards.
struct PickleCall {
    PickleId callable;
    PickleId arguments;  ///< a tuple
    std::optional<PickleId> state{};
    std::vector<PickleId> items{};                         ///< appended, if it behaves like a list
    std::vector<std::pair<PickleId, PickleId>> members{};  ///< set, if it behaves like a dictionary
};

/// monostate is None. Strings and bytes are views into the pickle.
using PickleValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string_view, PickleBytes, PickleTuple,
                 PickleList, PickleDict, PickleGlobal, PicklePersistent, PickleCall>;

/// A callable that is allowed in a pickle.
struct PickleCallable {
    std::string_view module;
    std::string_view name;
};

/// Resource limits for a pickle.
struct PickleLimits {
    std::uint64_t bytes = std::uint64_t{32} << 20;
    std::size_t values = std::size_t{1} << 20;  ///< also the limit of memoized values
    std::size_t marks = 1000;                   ///< open at one time: the nesting of containers
};

/// A pickle (protocols 2 to 5) parsed as data: nothing is imported, called or executed. Values may share and
/// even contain each other, so traversals must limit depth and count.
struct Pickle {
    std::vector<PickleValue> values;
    PickleId root = 0;

    /// Rejects calls of anything not listed in `callables` (Unsupported, with the name), and opcodes of the
    /// text protocols. Borrows `bytes`; `name` is the field name in error messages. Errors: Format, Limit,
    /// Unsupported.
    [[nodiscard]] static core::Result<Pickle> parse(core::Bytes bytes, std::string_view name,
                                                    std::span<const PickleCallable> callables,
                                                    PickleLimits limits = {});

    /// The alternative T of a value; null if it has another type.
    template <class T>
    [[nodiscard]] const T* get(PickleId id) const {
        return std::get_if<T>(&values[id]);
    }
};

}  // namespace et::etrecord
