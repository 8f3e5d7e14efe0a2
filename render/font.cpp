// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/font.h"

#include <array>
#include <utility>
#include <vector>

namespace repose {
namespace {

// Strokes of a character: points as digit pairs "xy", strokes apart by blanks, a lone point is a dot. x runs
// from 0 to 4; y is 2 on the base line, 6 on top of small letters, 8 on top of capitals, 0 below.
constexpr std::pair<char, const char*> kStrokes[] = {
    {'0', "183847433212030718"},
    {'1', "072822"},
    {'2', "07183847460242"},
    {'3', "0718384746354443321203 1535"},
    {'4', "32380444"},
    {'5', "480805354443321203"},
    {'6', "3818070312324344351504"},
    {'7', "084812"},
    {'8', "15060718384746351504031232434435"},
    {'9', "1232434738180706153546"},
    {'A', "022842 1535"},
    {'B', "02083847463505 3544433202"},
    {'C', "4738180703123243"},
    {'D', "02082846442202"},
    {'E', "48080242 0535"},
    {'F', "480802 0535"},
    {'G', "47381807031232434525"},
    {'H', "0802 4842 0545"},
    {'I', "1838 2822 1232"},
    {'J', "4843321203"},
    {'K', "0802 480542"},
    {'L', "080242"},
    {'M', "0208254842"},
    {'N', "02084248"},
    {'O', "183847433212030718"},
    {'P', "02083847463505"},
    {'Q', "183847433212030718 2442"},
    {'R', "02083847463505 2542"},
    {'S', "473818070615354443321203"},
    {'T', "0848 2822"},
    {'U', "080312324348"},
    {'V', "082248"},
    {'W', "0812253248"},
    {'X', "0842 4802"},
    {'Y', "082548 2522"},
    {'Z', "08480242"},
    {'a', "3526160503122233 3632"},
    {'b', "0802 0516263533221203"},
    {'c', "3526160503122233"},
    {'d', "3832 3526160503122233"},
    {'e', "043435261605031232"},
    {'f', "281712 0626"},
    {'g', "3526160503122233 36312010"},
    {'h', "0802 0516263532"},
    {'i', "0602 08"},
    {'j', "161100 18"},
    {'k', "0802 360432"},
    {'l', "0802"},
    {'m', "0602 05162522 25364542"},
    {'n', "0602 0516263532"},
    {'o', "162635332212030516"},
    {'p', "0600 0516263533221203"},
    {'q', "3630 3526160503122233"},
    {'r', "0602 051626"},
    {'s', "3616051424332202"},
    {'t', "18132232 0636"},
    {'u', "0603122233 3632"},
    {'v', "062246"},
    {'w', "0612253246"},
    {'x', "0632 3602"},
    {'y', "0622 4610"},
    {'z', "06360232"},
    {' ', ""},
    {'.', "02"},
    {',', "1201"},
    {':', "02 05"},
    {'-', "0434"},
    {'+', "0444 2622"},
    {'/', "0248"},
    {'_', "0141"},
    {'=', "0343 0545"},
    {'(', "18070312"},
    {')', "08171302"},
    {'[', "18080212"},
    {']', "08181202"},
    {'%', "0248 07 43"},
    {'<', "460442"},
    {'>', "064402"},
    {'#', "1218 3238 0444 0646"},
    {'!', "0804 02"},
    {'?', "07183847462524 22"},
};
constexpr const char* kUnknown = "0208484202";
constexpr float kUnitsOfCapital = 6, kTopUnit = 8;
constexpr float kStrokeWidth = 0.9f, kGap = 1.7f, kBlank = 2;  // in units
constexpr float kRim = 2.0f, kRimOpacity = 0.45f;              // rim in stroke widths

struct Segment {
  float x0, y0, x1, y1;
};

const char* strokesOf(char letter) {
  for (const auto& [name, strokes] : kStrokes)
    if (name == letter) return strokes;
  return kUnknown;
}

// Appends the segments of one character, in units with y downwards, and returns its width in units.
float appendLetter(char letter, float left, std::vector<Segment>& segments) {
  const char* at = strokesOf(letter);
  if (*at == 0) return kBlank;
  float widest = 0;
  while (*at) {
    std::array<float, 2> last{};
    bool started = false;
    for (; *at && *at != ' '; at += 2) {
      const std::array<float, 2> point = {left + static_cast<float>(at[0] - '0'),
                                          kTopUnit - static_cast<float>(at[1] - '0')};
      widest = std::max(widest, point[0] - left);
      const bool lone_point = !started && (at[2] == ' ' || at[2] == 0);
      if (started) segments.push_back({last[0], last[1], point[0], point[1]});
      if (lone_point) segments.push_back({point[0], point[1], point[0], point[1]});
      last = point, started = true;
    }
    if (*at == ' ') ++at;
  }
  return widest;
}

// Segments of a line of text in units, and its width.
float layOut(std::string_view text, std::vector<Segment>& segments) {
  float pen = 0;
  for (char letter : text) pen += appendLetter(letter, pen, segments) + kGap;
  return std::max(0.0f, pen - kGap);
}

float distanceTo(const Segment& s, float x, float y) {
  const float dx = s.x1 - s.x0, dy = s.y1 - s.y0, square = dx * dx + dy * dy;
  const float t = square > 0 ? clamp01(((x - s.x0) * dx + (y - s.y0) * dy) / square) : 0;
  return std::hypot(x - s.x0 - t * dx, y - s.y0 - t * dy);
}

}  // namespace

int textWidth(std::string_view text, float size) {
  std::vector<Segment> segments;
  return static_cast<int>(std::ceil((layOut(text, segments) + kStrokeWidth) * size / kUnitsOfCapital));
}

void drawText(Image& image, int left, int top, float size, Color color, std::string_view text) {
  const float unit = size / kUnitsOfCapital, half_stroke = std::max(kStrokeWidth * unit, 1.0f) / 2;
  const float rim = half_stroke * kRim + 1;
  std::vector<Segment> segments;
  const float width = layOut(text, segments) * unit, height = kTopUnit * unit;
  for (int y = static_cast<int>(-rim); y <= static_cast<int>(height + rim) + 1; ++y)
    for (int x = static_cast<int>(-rim); x <= static_cast<int>(width + rim) + 1; ++x) {
      float nearest = std::numeric_limits<float>::max();
      for (const Segment& s : segments) {
        nearest = std::min(nearest, unit * distanceTo(s, (static_cast<float>(x) + 0.5f - half_stroke) / unit,
                                                      (static_cast<float>(y) + 0.5f - half_stroke) / unit));
      }
      image.cover(left + x, top + y, {}, kRimOpacity * (1 - smoothStep(half_stroke, rim, nearest)));
      image.cover(left + x, top + y, color, clamp01(half_stroke - nearest + 0.5f));
    }
}

}  // namespace repose
