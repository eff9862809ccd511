#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// Knowledge about messages of ExecuTorch, its backends and tools. The tables are in knowledge/.
namespace et::inspector {

/// Part of a message in a failure.
enum class MessageRole : std::uint8_t {
    Reason,    ///< names what failed; the first one in a log is explained
    General,   ///< the same in words that other software also uses; explained if there is no Reason
    Crash,     ///< a signal or exception; explained if there is no Reason or General
    Outcome,   ///< repeats that a call failed, with its code; explained if there is no other failure
    Harmless,  ///< looks like an error and is not; explained if nothing failed
    Detail,    ///< supplies fields to a failure
    Context,   ///< tells the platform or program
};

/// A message, by a part of its text. Several rows with the same id are wordings of one message.
struct Message {
    std::string_view id;
    std::string_view pattern;  ///< as TextPattern
    MessageRole role = MessageRole::Reason;
    /// The failure in one sentence without a full stop; {field} is replaced. Empty in other wordings.
    std::string_view meaning{};
    std::uint32_t code = 0;  ///< of the runtime, if the line does not contain one as {code}
};

enum class Confidence : std::uint8_t { Certain, Likely, Possible };
[[nodiscard]] std::string_view name(Confidence confidence);

/// A cause of a message.
struct Cause {
    std::string_view message;  ///< id
    Confidence confidence = Confidence::Possible;
    /// Terms that must all hold, separated by blanks: `field=a|b*` (the field has one of these values; `*` at
    /// the start or end matches the rest; `field=*`: it is known), `field!=a` (it is known and differs),
    /// `seen=id` (a message is in the log), and each of them with `!` in front.
    std::string_view when{};
    std::string_view cause;  ///< sentences; {field} is replaced
    std::string_view
        evidence;  ///< sentence; alternatives separated by " || ", the first with known fields counts
    std::string_view remedy;  ///< sentences; {field} is replaced
    /// Terms that make the cause certain if they also hold.
    std::string_view certainWhen{};
};

/// All tables.
[[nodiscard]] std::span<const std::span<const Message>> knownMessages();
[[nodiscard]] std::span<const std::span<const Cause>> knownCauses();

}  // namespace et::inspector
