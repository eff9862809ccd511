#pragma once

#include "visualizers/selection.h"

#include <QObject>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::visualizers {

/// What the pointer is over, as far as it is known: a view looks for the part that it can show.
struct Pointed {
    std::optional<EventRef> event{};
    std::optional<OperatorRef> instruction{};
    std::string method{};                      ///< of `handles`
    std::vector<core::DebugHandle> handles{};  ///< sorted
    bool operator==(const Pointed&) const = default;

    [[nodiscard]] bool empty() const { return !event && !instruction && handles.empty(); }
};

/// What the pointer is over in whichever view, so that it glows in all of them. A view tells what is under
/// the pointer, and clear() when the pointer leaves. GUI thread only.
class Hover : public QObject {
    Q_OBJECT

  public:
    /// `session` must outlive this object. Nothing is pointed at in another session.
    explicit Hover(const OpenSession& session, QObject* parent = nullptr);

    [[nodiscard]] const Pointed& pointed() const { return current; }

    void pointAt(EventRef event);
    void pointAt(const OperatorRef& which);
    void pointAt(std::string_view method, std::vector<core::DebugHandle> handles);
    void clear();

  signals:
    void changed();

  private:
    void set(Pointed next);

    const OpenSession& open;
    Pointed current;
};

}  // namespace et::visualizers
