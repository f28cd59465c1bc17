/** Arrays and objects may nest this deep, in parsing and in serialising. */
export const MAX_DEPTH = 64;
