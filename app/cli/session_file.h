#pragma once

#include "app/cli/options.h"
#include "runtime/core/result.h"

#include <string>
#include <vector>

// Sessions in place of the files that they contain, for commands that do not read sessions themselves.
namespace et::cli {

/// A file of a session, and the option that takes it.
struct SessionValue {
    const Option* option = nullptr;
    std::string path;  ///< this process and its children can open it any number of times
};

/// If `value` of `option` is a session, returns the file in it that the option takes (Option::files), and
/// the files that belong to it for options that accompany this one (ETRecord, external weights, trace). Empty
/// for other files, and for options without `files`. Call after storing all previous arguments. Errors: those
/// of SessionStore; InvalidArgument (the session has no such file).
[[nodiscard]] core::Result<std::vector<SessionValue>> filesOfSession(const Option& option,
                                                                     const OptionList& options,
                                                                     const std::string& value);

/// True if the file is an ETRecord. False for pipes: their content can be read only once.
[[nodiscard]] bool isRecord(const std::string& path);

/// Call after all options are stored. Errors: InvalidArgument (an output file is a session that was given as
/// input).
[[nodiscard]] core::Result<> refuseToReplaceSessions(const OptionList& options);

}  // namespace et::cli
