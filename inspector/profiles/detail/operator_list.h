#pragma once

#include "inspector/profiles/vendor_profile.h"
#include "runtime/archive/json.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::profiles::detail {

/// Collects the operators of a profile, within its limits.
class OperatorList {
  public:
    /// Returns the operator of this name, which is added if it is new. Valid until the next call. Errors:
    /// Limit.
    [[nodiscard]] core::Result<ProfiledOperator*> named(std::string_view name);
    /// Adds an operator. One whose name exists gets a number: "Reformat #2". Errors: Limit.
    [[nodiscard]] core::Result<ProfiledOperator*> add(std::string_view name);
    /// Adds the time of a further run. Errors: Limit.
    [[nodiscard]] core::Result<> addTime(ProfiledOperator& to, double time);

    [[nodiscard]] std::vector<ProfiledOperator> take() && { return std::move(operators); }

  private:
    std::vector<ProfiledOperator> operators;
    std::map<std::string, std::size_t, std::less<>> places;       ///< by name
    std::map<std::string, std::size_t, std::less<>> repetitions;  ///< by name as in the file
    std::size_t times = 0;
};

/// The value of the column with this name, or null.
[[nodiscard]] const std::string* columnOf(const ProfileColumns& columns, std::string_view name);

/// Adds all members of an object except one to the columns: strings unchanged, other values as JSON.
[[nodiscard]] core::Result<> addMembers(const archive::JsonValue& object, std::string_view except,
                                        ProfiledOperator& to);

}  // namespace et::inspector::profiles::detail
