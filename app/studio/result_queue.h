#pragma once

#include <QObject>
#include <QTimer>

#include <deque>
#include <functional>
#include <mutex>

namespace et::studio {

/// Results that threads have for the GUI thread. It takes one in each turn of its event loop, and paints and
/// takes input in between: opening files starts a dozen of works, whose results come together.
class ResultQueue : public QObject {
    Q_OBJECT

  public:
    /// The one of the application; made, and kept, by the GUI thread.
    [[nodiscard]] static ResultQueue& shared();

    /// From any thread. `take` is called on the GUI thread, in the order of add().
    void add(std::function<void()> take);

  private:
    explicit ResultQueue(QObject* parent);
    void takeNext();

    QTimer turn;
    std::mutex mutex;
    std::deque<std::function<void()>> waiting;
};

}  // namespace et::studio
