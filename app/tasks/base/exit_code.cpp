#include "app/tasks/base/exit_code.h"

#include <algorithm>
#include <array>

namespace et::tasks {
namespace {

using core::ErrorCode;

struct Mapping {
    ErrorCode error;
    ExitCode exit;
};

constexpr std::array mappings{
    Mapping{ErrorCode::Io, ExitCode::Unreadable},
    Mapping{ErrorCode::Format, ExitCode::Unreadable},
    Mapping{ErrorCode::Unsupported, ExitCode::Unreadable},
    Mapping{ErrorCode::Limit, ExitCode::Unreadable},
    Mapping{ErrorCode::NotFound, ExitCode::Usage},  // a column, module or method that the user named
    Mapping{ErrorCode::InvalidArgument, ExitCode::Usage},
    Mapping{ErrorCode::Mismatch, ExitCode::CheckFailed},
    Mapping{ErrorCode::Cancelled, ExitCode::CheckFailed},
};

}  // namespace

ExitCode exitCode(ErrorCode code) {
    const auto* const found = std::ranges::find(mappings, code, &Mapping::error);
    return found == mappings.end() ? ExitCode::Unreadable : found->exit;
}

}  // namespace et::tasks
