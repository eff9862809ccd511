#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace et::inspector {
struct Session;
}
namespace et::visualizers {
class Selection;
}

// What a finding asks for next: a smaller program that fails, a part of it, another memory plan, many runs.
// Each is a verb of et-inspect; a FixDialog asks for the rest and starts it.
namespace et::studio {

enum class FixKind : std::uint8_t { Reduce, Extract, Replan, Soak };

/// One call of et-inspect reduce, extract, replan or soak.
struct FixRequest {
    FixKind kind = FixKind::Reduce;
    std::filesystem::path model;  ///< program or bundled program
    std::filesystem::path tensorData;
    std::filesystem::path record;  ///< empty: none, or one of another program
    QString method;                ///< empty: the usual one
    QString fails;                 ///< Reduce: of --fails
    QString instructions;          ///< Extract: "40..55", "3,5..9"
    QString nodes;                 ///< Extract: operators of the delegate that the only instruction calls
    QString algorithm;             ///< Replan: of --algorithm
    qint64 alignment = 0;          ///< Replan: in bytes; 0: the usual one
    int runs = 0;                  ///< Soak: rounds; 0: the usual number
    std::filesystem::path output;  ///< file, or folder of Reduce; Soak has none
};

/// The arguments of et-inspect for it, a verb first.
[[nodiscard]] QStringList argumentsOf(const FixRequest& request);

/// Whether et-inspect says how far it is.
[[nodiscard]] bool tellsProgress(FixKind kind);

/// What can be asked of the open files, `output` included: beside the model, under a name that is free.
/// Nothing: no program is open.
[[nodiscard]] std::optional<FixRequest> fixRequest(FixKind kind, const inspector::Session* session);

/// Extract what is chosen: the instructions of all chosen events, the chosen operator, or those that have a
/// chosen debug handle; of a single delegate call, just its operators with these handles. Nothing: none is.
[[nodiscard]] std::optional<FixRequest> extractRequest(const inspector::Session* session,
                                                       const visualizers::Selection& selection);

/// Whether extractRequest() has one; cheaper.
[[nodiscard]] bool canExtract(const inspector::Session* session, const visualizers::Selection& selection);

/// The files that it wrote, to be opened together.
[[nodiscard]] std::vector<std::filesystem::path> writtenFiles(const FixRequest& request);

}  // namespace et::studio
