/**
 * Which part of a datum each observation of a program is of. Values do not tell: several parts may be equal. What is
 * learned while they differ helps where they do not.
 */
export class ObservedPlaces {
  private readonly placeOf = new Map<string, string>();
  private readonly siteOf = new Map<string, string>();

  /**
   * The place that an observation is of, among those where its value was read, the one read last coming last; `open` are
   * those not observed yet. Undefined if there are none.
   */
  choose(site: string, places: readonly string[], open: readonly string[]): string | undefined {
    if (open.length === 0) return undefined;
    if (places.length === 1) {
      this.placeOf.set(site, places[0]);
      this.siteOf.set(places[0], site);
      return places[0];
    }
    const known = this.placeOf.get(site);
    if (known !== undefined && open.includes(known)) return known;
    // Most observations read their value just before.
    return open.findLast((place) => (this.siteOf.get(place) ?? site) === site) ?? open[open.length - 1];
  }
}
