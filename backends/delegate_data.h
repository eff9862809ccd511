#pragma once

#include "runtime/program/method.h"

#include <string>
#include <string_view>
#include <vector>

namespace et::backends {

/// Data that a delegate looks up by name, in its program or in tensor data files.
struct DelegateData {
    std::string name;
    std::string type{};  ///< as the delegate declares it: "float32 [16, 12]"; empty: not known
    /// SHA-256 of `hashedBefore` followed by the data, as 64 hexadecimal digits; empty: not known.
    std::string sha256{};
    std::string hashedBefore{};
    bool isRequired = false;  ///< the delegate does not load without it
};

struct DelegateDataList {
    std::vector<DelegateData> data;
    bool isComplete = false;  ///< false: the format of the payload is not known, or it is damaged
};

/// The data of a delegate of a method of that name.
[[nodiscard]] DelegateDataList delegateData(const program::Delegate& delegate, std::string_view method);

}  // namespace et::backends
