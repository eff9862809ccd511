#pragma once

#include "app/studio/gap/gap_job.h"

#include <QObject>

class QAction;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QToolBar;

namespace et::inspector {
struct Session;
}

namespace et::studio {

/// Whether a gap can be calculated of what is open; where not, what is missing.
[[nodiscard]] QString missingForGap(const inspector::Session* session);

/// What a person can choose about a gap, as tools of a bar: which run, method, inputs, precision, bisection,
/// tolerance.
class GapOptionsTools : public QObject {
    Q_OBJECT

  public:
    /// `bar` becomes the parent.
    explicit GapOptionsTools(QToolBar& bar);

    /// Offers what the session has; null: nothing.
    void setSession(const inspector::Session* session);
    /// Of a session of which nothing is missing.
    [[nodiscard]] GapRequest request(const inspector::Session& session) const;
    /// The files of the request alone: those that a run of the program needs, or the values of the trace.
    [[nodiscard]] static GapRequest filesOf(const inspector::Session& session, bool ofProgram);

    [[nodiscard]] QComboBox& inputs() { return *inputBox; }
    [[nodiscard]] QComboBox& precision() { return *precisionBox; }
    [[nodiscard]] QDoubleSpinBox& tolerance() { return *toleranceBox; }
    [[nodiscard]] QCheckBox& bisect() { return *bisectBox; }

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  private:
    void createInputs(QToolBar& bar);
    void showState();
    [[nodiscard]] bool runsProgram() const;

    QComboBox* runBox;
    QComboBox* methodBox;
    QComboBox* inputBox;
    QComboBox* precisionBox;
    QCheckBox* bisectBox;
    QDoubleSpinBox* toleranceBox;
    QAction* runAction = nullptr;
    QAction* methodAction = nullptr;
};

}  // namespace et::studio
